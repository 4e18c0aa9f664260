// Usage: node start.mjs CONFIGURATION PORT
// Serves a deployment configuration file of the working directory on 127.0.0.1, in one process that starts in one second.
// The command line of the package starts three processes and takes five seconds.
import { readFile } from 'node:fs/promises'
import { startServer } from '@langchain/langgraph-api/server'

const [file, port] = process.argv.slice(2)
const { graphs, auth } = JSON.parse(await readFile(file, 'utf8'))

await startServer({ port: Number(port), host: '127.0.0.1', nWorkers: 10, cwd: process.cwd(), graphs, auth })
