#!/usr/bin/env bash
# Deploys the stacks to a LocalStack that is running, in Docker or not (README.md beside this file).
set -euo pipefail

usage() {
  cat <<'END'
Usage: localstack/deploy.sh [--endpoint http://127.0.0.1:4566] [--stage staging] [--outputs outputs.json]
                            [--assembly FOLDER]

Bootstraps the account of a running LocalStack and deploys both stacks with the CDK of this project. It may be run
again after a change: only what has changed is deployed. Prints the addresses of the two APIs.

  --endpoint URL     where LocalStack listens (http://127.0.0.1:4566); loopback only
  --stage NAME       staging or local (staging)
  --outputs FILE     where the outputs of the stacks go, which the operator's tool reads (outputs.json)
  --assembly FOLDER  keeps the synthesised templates and bundles there
  --help             this page
END
}

refuse() { printf 'deploy.sh: %s\n' "$1" >&2; exit 2; }

root=$(cd "$(dirname "$0")/.." && pwd)
endpoint=http://127.0.0.1:4566
stage=staging
outputs=outputs.json
assembly=
while [ $# -gt 0 ]; do
  case $1 in
    --endpoint) [ $# -gt 1 ] || refuse '--endpoint needs an address.'; endpoint=$2; shift 2 ;;
    --stage) [ $# -gt 1 ] || refuse '--stage needs a name.'; stage=$2; shift 2 ;;
    --outputs) [ $# -gt 1 ] || refuse '--outputs needs a file.'; outputs=$2; shift 2 ;;
    --assembly) [ $# -gt 1 ] || refuse '--assembly needs a folder.'; assembly=$2; shift 2 ;;
    --help) usage; exit 0 ;;
    *) usage >&2; refuse "The option $1 is not known." ;;
  esac
done
endpoint=${endpoint%/}
# Names below localhost would be asked for buckets; an address is not.
endpoint=${endpoint/\/\/localhost/\/\/127.0.0.1}
[[ $endpoint =~ ^http://127\.0\.0\.1:([1-9][0-9]{0,4})$ ]] && [ "${BASH_REMATCH[1]}" -le 65535 ] ||
  refuse "--endpoint must be like http://127.0.0.1:4566, not $endpoint."
[[ $stage =~ ^(staging|local)$ ]] || refuse "--stage must be staging or local, not $stage."
[ -x "$root/node_modules/.bin/cdk" ] || refuse 'The packages of the project are missing: run npm ci.'

health=$(curl --silent --fail --max-time 10 "$endpoint/_localstack/health") ||
  refuse "No LocalStack answers at $endpoint. Start one: localstack/community/start.sh, or docker compose -f localstack/compose.yaml up -d."
[[ $health == *'"dynamodb"'* ]] || refuse "What answers at $endpoint is no LocalStack with DynamoDB."

# No setting of the shell may lead to a real account.
for name in $(compgen -e AWS_ || true) $(compgen -e CDK_ || true); do unset "$name"; done
export AWS_ENDPOINT_URL=$endpoint AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true
export CDK_DISABLE_CLI_TELEMETRY=true PATH="$root/node_modules/.bin:$PATH"

[[ $outputs == /* ]] || outputs="$PWD/$outputs"
if [ -z "$assembly" ]; then
  assembly=$(mktemp -d)
  trap 'rm -rf "$assembly"' EXIT
fi
[[ $assembly == /* ]] || assembly="$PWD/$assembly"
cd "$root"
AWS_REGION=$(node -p "require('./lib/config.ts').configOf('$stage').region")
export AWS_REGION
context=(--context "stage=$stage")
# The image of LocalStack does not know Fn::GetStackOutput; without Docker it does (community/README.md).
[[ $(curl --silent --fail --max-time 10 "$endpoint/_localstack/info") != *'"is_docker": true'* ]] ||
  context+=(--context '@aws-cdk/core:defaultCrossStackReferences=strong')
cdk synth --quiet "${context[@]}" --output "$assembly"
cdk bootstrap "aws://000000000000/$AWS_REGION" --app "$assembly" --ci
cdk deploy --all --app "$assembly" --require-approval never --progress events --ci --outputs-file "$outputs"

node localstack/after-deploy.ts "$endpoint" "$outputs"
