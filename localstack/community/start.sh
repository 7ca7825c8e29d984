#!/usr/bin/env bash
# LocalStack without Docker, in the foreground (README.md beside this file). What it installs is kept under
# .local/localstack-community and used again.
set -euo pipefail

usage() {
  cat <<'END'
Usage: localstack/community/start.sh [--port 4566] [--install-only]

Starts LocalStack 4.9.2 (community) on loopback, with DynamoDB Local under Java and functions as Node processes.
The first start installs it from PyPI and Maven Central, which takes one to three minutes.

  --port N        where it listens on 127.0.0.1 (4566)
  --install-only  installs and ends
  --help          this page

Ends with 3 where Java 17 is missing, with 2 where it cannot start for another reason.
END
}

refuse() { printf 'LocalStack: %s\n' "$2" >&2; exit "$1"; }

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
home="$root/.local/localstack-community"
port=4566
install_only=
while [ $# -gt 0 ]; do
  case $1 in
    --port) [ $# -gt 1 ] || refuse 2 '--port needs a number.'; port=$2; shift 2 ;;
    --install-only) install_only=yes; shift ;;
    --help) usage; exit 0 ;;
    *) usage >&2; refuse 2 "The option $1 is not known." ;;
  esac
done
[[ $port =~ ^[1-9][0-9]{0,4}$ ]] && [ "$port" -le 65535 ] ||
  refuse 2 "--port is \"$port\" and must be a whole number from 1 to 65535."
# Before the files of that port are deleted: they may be those of a LocalStack that runs.
if [ -z "$install_only" ] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  refuse 2 "Port $port is taken: name another with --port."
fi

java_home() { java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'; }
java_version() { java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.specification\.version = //p'; }
command -v java >/dev/null || refuse 3 'Java 17 or later is needed for DynamoDB Local, and there is no java on the PATH.'
[ "$(java_version | cut -d. -f1)" -ge 17 ] || refuse 3 "Java 17 or later is needed; java on the PATH is $(java_version)."
command -v mvn >/dev/null || refuse 2 'Maven is needed to fetch DynamoDB Local, and there is no mvn on the PATH.'

# LocalStack 4.9 is written for Python 3.11.
find_python() {
  local candidate
  for candidate in python3.11 python3.12 python3; do
    if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
}
python=$(find_python)
[ -n "$python" ] || refuse 2 'Python 3.11 or 3.12 with venv is needed, and neither is on the PATH.'
[ -x "$root/node_modules/.bin/node" ] || refuse 2 'The packages of the project are missing: run npm ci.'

pip_install() { "$home/venv/bin/python" -m pip install --quiet --no-input --no-compile --no-deps "$@"; }
install() {
  rm -rf "$home"
  mkdir -p "$home"
  "$python" -m venv "$home/venv"
  pip_install --require-hashes --only-binary :all: -r "$here/build-requirements.txt"
  # Four packages are sources alone. They are built with what is installed, since pip would fetch other tools without hashes.
  pip_install --require-hashes --no-build-isolation --use-pep517 -r "$here/requirements.txt"
  pip_install --no-build-isolation "$here"
  mvn --quiet --batch-mode -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$home/dynamodb"
}
# Written last, so that an installation that was interrupted starts again.
wanted=$(cat "$here"/{build-requirements.txt,requirements.txt,pom.xml,pyproject.toml} "$here"/transactions_localstack/*.{py,mjs} | sha256sum)
if [ "$(cat "$home/installed" 2>/dev/null)" != "$wanted" ]; then
  install
  printf '%s\n' "$wanted" > "$home/installed"
fi
[ -z "$install_only" ] || exit 0

# Every start is a fresh account.
files="$home/files-$port"
rm -rf "$files"
# Where LocalStack's installers look before they download: the marker, the libraries, a Java.
libraries="$files/var/lib/localstack/lib"
mkdir -p "$libraries/dynamodb-local/2" "$libraries/java" "$files/tmp"
touch "$libraries/dynamodb-local/2/DynamoDBLocal.jar"
ln -s "$home/dynamodb" "$libraries/dynamodb-local/2/DynamoDBLocal_lib"
ln -s "$(java_home)" "$libraries/java/21"
# Functions are unpacked there; what is CommonJS among them must not count as part of this ESM package.
echo '{ "type": "commonjs" }' > "$files/package.json"

export PATH="$root/node_modules/.bin:$home/venv/bin:$PATH"
export GATEWAY_LISTEN="127.0.0.1:$port" FILESYSTEM_ROOT="$files" TMPDIR="$files/tmp" OVERRIDE_IN_DOCKER=0
export LAMBDA_RUNTIME_EXECUTOR=process DYNAMODB_IN_MEMORY=1 SQS_ENDPOINT_STRATEGY=dynamic
# Nothing leaves this machine, and its names are not asked for.
export SKIP_SSL_CERT_DOWNLOAD=1 DISABLE_EVENTS=1 DNS_ADDRESS=0
exec "$home/venv/bin/python" -m localstack.runtime.main
