import { Client, connect, environment, resolveConnection, thisHost } from 'proa/client'
import { runExampleScheduler } from './scheduler.js'

/** `node main.js [kubeconfig]`: uses the usual kubeconfig by default, or the service account of its pod. */
const [kubeconfig] = process.argv.slice(2)
const surroundings = environment()
const connection = await resolveConnection(thisHost(), kubeconfig === undefined ? {} : { kubeconfig })
const transport = await connect(connection, { environment: surroundings, userAgent: 'example-scheduler' })
const ending = new AbortController()
process.once('SIGTERM', () => ending.abort())
process.once('SIGINT', () => ending.abort())
const client = new Client(transport)
await runExampleScheduler({ client, environment: surroundings, name: 'example', signal: ending.signal })
client.close()
