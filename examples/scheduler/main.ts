import { Client, connect, environment, resolveConnection, thisHost } from '../../src/client/index.js'
import { runExampleScheduler } from './scheduler.js'

/** `node dist/examples/scheduler/main.js [kubeconfig]`: the usual kubeconfig unless told, or the pod's own service account. */
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
