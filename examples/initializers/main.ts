/** Runs the initializers that are named, in a pod: `node dist/examples/initializers/main.js sidecar long-secrets`. */
import { readFileSync } from 'node:fs'
import { Client } from '../../src/client/client.js'
import { httpsTransport } from '../../src/client/https/https-transport.js'
import { runInitializer } from './initializer.js'
import { longSecrets } from './long-secrets.js'
import { sidecar } from './sidecar.js'
import { testCertificates } from './test-certificates.js'

const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())

const warn = (error: unknown) => void process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
const options = { signal: stopping.signal, warn }

const programs = {
  sidecar: () => runInitializer(connect, sidecar, options),
  'test-certificates': () => runInitializer(connect, testCertificates, options),
  'long-secrets': () => runInitializer(connect, longSecrets, options),
}

await Promise.all(process.argv.slice(2).map(run))

function run(name: string): Promise<void> {
  if (!Object.hasOwn(programs, name))
    throw new Error(`there is no example ${name}: ${Object.keys(programs).join(', ')}`)
  return programs[name as keyof typeof programs]()
}

/** As every pod finds its server; the token is read each time, because it does not last. */
function connect(): Client {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount'
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
  const server = `https://${host?.includes(':') ? `[${host}]` : host}:${port}`
  const token = readFileSync(`${folder}/token`, 'utf8')
  return new Client(httpsTransport({ server, token, authority: readFileSync(`${folder}/ca.crt`, 'utf8') }))
}
