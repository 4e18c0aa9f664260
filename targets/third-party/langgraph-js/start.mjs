// Usage: node start.mjs CONFIGURATION PORT RUNS
// Serves a deployment configuration file of the working directory on 127.0.0.1, in one process that starts in one second.
// It executes up to RUNS runs at a time.
// The command line of the package starts three processes and takes five seconds.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [file, port, runs] = process.argv.slice(2)
// The working directory has the modules of the version to start.
const server = join(process.cwd(), 'node_modules/@langchain/langgraph-api/dist/server.mjs')
const { startServer } = await import(pathToFileURL(server).href)
const { graphs, auth } = JSON.parse(await readFile(file, 'utf8'))

await startServer({ port: Number(port), host: '127.0.0.1', nWorkers: Number(runs), cwd: process.cwd(), graphs, auth })
