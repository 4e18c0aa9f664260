import { quote } from '../../reporters/model/shell.ts'
import { headerArgument } from './curl.ts'
import type { Secret } from './redact.ts'

/** What a client does on one thread; `run` counts the runs created so far, from 0 and round again. */
export type ReplayStep =
  | {
      readonly do: 'create'
      readonly graph: 'echo' | 'slow'
      readonly strategy: 'reject' | 'enqueue' | 'interrupt'
      /** Whether to wait until a run of `slow` sleeps. */
      readonly watch: boolean
    }
  | { readonly do: 'poll'; readonly run: number }
  | { readonly do: 'join'; readonly run: number }
  /** Waits for the end of all runs. */
  | { readonly do: 'settle' }
  /** Waits for the end of all runs, then streams a run of `echo`. */
  | { readonly do: 'stream' }

/** What a script needs to know of the target. */
export interface ReplayTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly Secret[]
  /** Names under which the test graphs are deployed. */
  readonly graphs: { readonly echo: string; readonly slow: string }
  /** How long `slow` sleeps. */
  readonly delayMs: number
}

/** The text that the nth run of a replay is created with. */
export function replayText(run: number): string {
  return `run ${run}`
}

/**
 * A shell script (bash and curl) that does the steps once more and prints what is seen.
 *
 * @example
 * replayScript(target, [{ do: 'create', graph: 'echo', strategy: 'enqueue', watch: false }], 'each run to end with success')
 */
export function replayScript(target: ReplayTarget, steps: readonly ReplayStep[], expected: string): string {
  const lines: string[] = []
  let runs = 0
  for (const step of steps) {
    if (step.do === 'create') {
      const assistant = step.graph === 'slow' ? '"$SLOW"' : quote(target.graphs.echo)
      lines.push(`create ${quote(replayText(runs))} ${assistant} ${step.strategy}`)
      if (step.graph === 'slow' && step.watch) lines.push(`watch ${quote(`before: ${replayText(runs)}`)}`)
    }
    if ((step.do === 'poll' || step.do === 'join') && runs > 0) lines.push(`${step.do} ${step.run % runs}`)
    if (step.do === 'settle') lines.push('settle')
    if (step.do === 'stream') lines.push('settle', `stream ${quote(replayText(runs))} ${quote(target.graphs.echo)}`)
    if (step.do === 'create' || step.do === 'stream') runs += 1
  }
  return [...prelude(target), ...lines, ...epilogue(expected)].join('\n')
}

/** What the lines of a replay call. `field` reads the first string of that name from JSON. */
const functions: string = `
field() { grep -o "\\"$1\\": *\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }
body() { printf '{"assistant_id":"%s","input":{"messages":[{"role":"human","content":"%s"}]}%s}' "$2" "$1" "$3"; }
RUNS=()
add() { echo "run \${#RUNS[@]} ($1): \${2:-refused}"; RUNS+=("$2"); }
create() { add "$3" "$(api POST "/threads/$T/runs" --data "$(body "$1" "$2" ",\\"multitask_strategy\\":\\"$3\\"")" | field run_id)"; }
stream() { add streamed "$(api POST "/threads/$T/runs/stream" --data "$(body "$1" "$2" "")" | field run_id)"; }
status() { api GET "/threads/$T/runs/\${RUNS[$1]}" | field status; }
poll() { [ -z "\${RUNS[$1]}" ] || echo "run $1 is $(status "$1")"; }
join() { [ -z "\${RUNS[$1]}" ] || { api GET "/threads/$T/runs/\${RUNS[$1]}/join" >/dev/null; poll "$1"; }; }
watch() { for _ in {1..100}; do api GET "/threads/$T/state" | grep -q "$1" && break; sleep 0.02; done; }
settle() { for n in "\${!RUNS[@]}"; do while [[ "$(poll "$n")" =~ is\\ (pending|running) ]]; do sleep 0.1; done; poll "$n"; done; }
`

function prelude({ url, headers, secrets, graphs, delayMs }: ReplayTarget): readonly string[] {
  const sent = Object.entries({ ...headers, 'content-type': 'application/json' })
  const args = sent.map(([name, value]) => `-H ${headerArgument(name, value, secrets)}`).join(' ')
  const config = `{"graph_id":"${graphs.slow}","config":{"configurable":{"delay_ms":${delayMs}}}}`
  return [
    '#!/usr/bin/env bash',
    `api() { curl -sS ${args} -X "$1" ${quote(url.replace(/\/+$/, ''))}"$2" "\${@:3}"; }`,
    functions.trim(),
    `SLOW=$(api POST /assistants --data ${quote(config)} | field assistant_id)`,
    "T=$(api POST /threads --data '{}' | field thread_id)",
  ]
}

function epilogue(expected: string): readonly string[] {
  return ['settle', 'api GET "/threads/$T/state"; echo', `echo ${quote(`expected: ${expected}`)}`, '']
}
