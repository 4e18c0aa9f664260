import { once } from 'node:events'
import { connect } from 'node:net'
import { Command } from 'commander'
import { UsageError } from '../suites/values/usage-error.ts'
import { createRecordingFolder, writeRecording } from './record/files.ts'
import { type ProxyOptions, type RecordingProxy, startProxy } from './record/proxy.ts'
import { createRecorder, type Recorder } from './record/recorder.ts'
import { onEndOfNpm } from './signals.ts'
import { orUsageError, wholeNumberFrom } from './usage.ts'

const help = `
Passes requests to a server and records them. When it is ready, it prints "listening on URL" to standard output: use that
URL in your client. SIGINT (Ctrl-C) and SIGTERM end the recording and write these files, from which secrets are removed:

  scenario.json      for "touchstone serve --scenario", which then responds as the server did
  exchanges.ndjson   one request and its response per line, as in the journal of the mock server
  session.har        HTTP Archive 1.2, for the network panel of a browser

The proxy listens on the loopback interface only. It streams bodies in both directions, and breaks a connection when the
other side does. It asks for responses without compression. See docs/guides/record-and-replay.md.

Examples:
  $ touchstone record --target http://127.0.0.1:2024 --out recording
  $ touchstone record --target https://agent.example.com --port 0 --out recording
`

interface RecordOptions {
  readonly target: string
  readonly port: number
  readonly out: string
}

/** The command `touchstone record`. */
export function recordCommand(): Command {
  return new Command('record')
    .description('record the requests of a client to a server, to replay them without the server')
    .requiredOption('--target <url>', 'base URL of the server')
    .option('--port <n>', 'port to listen on; 0 for any free port', wholeNumberFrom(0, 65_535), 2025)
    .requiredOption('--out <folder>', 'new or empty folder for the recording')
    .addHelpText('after', help)
    .action((options: RecordOptions, command: Command) => orUsageError(command, () => record(options)))
}

async function record({ target, port, out }: RecordOptions): Promise<void> {
  const url = await reachableTarget(target)
  await createRecordingFolder(out)
  const recorder = createRecorder()
  const proxy = await startRecording(url, port, recorder)
  let ended = false
  const stop = async (): Promise<void> => {
    // A signal can arrive twice: from the terminal and from a parent process.
    if (ended) return
    ended = true
    await proxy.close()
    process.stderr.write(await writeRecording(out, recorder, target))
    process.exit(0)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  onEndOfNpm(stop)
  process.stderr.write(`recording requests to ${url.origin}; press Ctrl-C to write ${out}\n`)
  process.stdout.write(`listening on ${proxy.url}\n`)
}

/** Starts a proxy that records. Throws UsageError if the port is not available. */
export async function startRecording(target: URL, port: number, recorder: Recorder): Promise<RecordingProxy> {
  const options: ProxyOptions = {
    target,
    port,
    recorder,
    onFailure: (reason) => process.stderr.write(`the target did not respond: ${reason}\n`),
  }
  try {
    return await startProxy(options)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const received = code === 'EADDRINUSE' ? 'one that is in use' : `one that cannot be used (${code})`
    throw new UsageError(
      `--port ${port}: expected a free port, received ${received}. Stop the other server, or choose another port (0 selects a free port).`,
    )
  }
}

/** Returns the URL of the target, to which a connection is possible. Throws UsageError. */
export async function reachableTarget(target: string): Promise<URL> {
  const url = URL.parse(target)
  if (url !== null && url.username + url.password !== '') {
    throw new UsageError(
      `--target: expected a URL without user and password, received one with them. Have your client send the header Authorization, which the proxy passes on.`,
    )
  }
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      `--target: expected the base URL of a server, received ${target}. Give a URL such as http://127.0.0.1:2024.`,
    )
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, timeout: 10_000 })
  socket.once('timeout', () => socket.destroy(new Error('no connection within 10 s')))
  try {
    await once(socket, 'connect')
    return url
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(
      `--target: expected a server that accepts connections, received ${url.origin} (${code ?? message}). Start the server, or correct the URL.`,
    )
  } finally {
    socket.destroy()
  }
}
