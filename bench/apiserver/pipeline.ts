/** The CPU time of a request in the server, without socket and disk. A busy machine hardly changes CPU time. */
import { builtin } from '../../src/api/scheme.js'
import { type ApiServer, openApiServer } from '../../src/apiserver/api-server.js'
import { authenticatorChain } from '../../src/apiserver/authentication/chain.js'
import { tokenFileAuthenticator } from '../../src/apiserver/authentication/token-file.js'
import { authorizerChain } from '../../src/apiserver/authorization/chain.js'
import type { ApiRequest } from '../../src/apiserver/request/request-context.js'
import type { Responder } from '../../src/apiserver/serving/responder.js'
import { environment } from '../../src/base/environment.js'
import { MemoryStore } from '../../src/storage/memory/memory-store.js'
import type { ReportFigure } from '../figure.js'
import { configMap, namespace, namespaceObject, pod, serviceAccount } from './objects.js'

const inFlight = 16

export async function pipelineFigures(report: ReportFigure): Promise<void> {
  const surroundings = environment()
  const store = new MemoryStore({ environment: surroundings })
  const tokens = [tokenFileAuthenticator('bench,bench,bench,"system:masters"')]
  const api = await openApiServer(
    {
      store,
      scheme: builtin,
      soleWriter: true,
      authentication: () => ({
        tokens,
        authenticators: authenticatorChain({ clock: surroundings.clock, anonymous: true, tokens }),
      }),
      authorizers: await authorizerChain({ modes: ['Node', 'RBAC'] }, surroundings),
      admission: { enabled: [], disabled: [] },
      allowPrivileged: false,
      services: { clusterIpRanges: ['10.96.0.0/16'], nodePorts: { first: 30_000, last: 32_767 } },
      serviceAccounts: { issuer: 'https://bench', audiences: [], sign: () => '', keys: [] },
      requests: { maxInFlight: 400, maxMutatingInFlight: 200, isFair: true, timeout: 60_000 },
      eventSeconds: 3600,
      build: { version: 'bench', commit: '', treeState: '', date: '' },
      address: '127.0.0.1',
      port: 6443,
    },
    surroundings,
  )
  const inside = `/api/v1/namespaces/${namespace}`
  await handle(api, 'POST', '/api/v1/namespaces', namespaceObject())
  await handle(api, 'POST', `${inside}/serviceaccounts`, serviceAccount())
  await handle(api, 'POST', `${inside}/pods`, pod('getme'))
  const measure = async (name: string, calls: number, run: (index: number) => Promise<void>) => {
    let count = 0
    const value = await cpuMicroseconds(calls, () => run(count++))
    report({ name: `apiserver: ${name}, without socket and disk`, value, unit: 'µs' })
  }
  await measure('get pod', 2000, () => handle(api, 'GET', `${inside}/pods/getme`))
  await measure('create configmap', 500, (i) => handle(api, 'POST', `${inside}/configmaps`, configMap(`cm-${i}`)))
  await measure('create pod', 300, (i) => handle(api, 'POST', `${inside}/pods`, pod(`pod-${i}`)))
  await measure('merge patch configmap', 500, (i) =>
    handle(api, 'PATCH', `${inside}/configmaps/cm-${i % 1000}`, { data: { i: String(i) } }),
  )
  await api.close()
  await store.close()
}

const rounds = 60

/** Returns the CPU time per call: the lower quartile of many short rounds, so that other processes count little. */
async function cpuMicroseconds(calls: number, run: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    let left = calls
    const worker = async () => {
      while (left-- > 0) await run()
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / calls)
  }
  return times.sort((one, other) => one - other)[Math.floor(rounds / 4)]!
}

const peer = { address: '127.0.0.1' }
const query = new URLSearchParams()
const { signal } = new AbortController()

async function handle(api: ApiServer, method: string, path: string, content?: object): Promise<void> {
  const bytes = Buffer.from(content === undefined ? '' : JSON.stringify(content))
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { authorization: 'Bearer bench', accept: 'application/json', 'content-type': type }
  const request: ApiRequest = { method, path, query, headers, body: async () => ({ bytes }), signal, peer }
  await api.handle(request, responder(`${method} ${path}`))
}

function responder(what: string): Responder {
  const refuse = () => {
    throw new Error(`${what} was not answered in one piece`)
  }
  return {
    whole(code, _headers, bytes) {
      if (code >= 300) throw new Error(`${what}: ${code} ${Buffer.from(bytes).toString()}`)
    },
    head: refuse,
    write: refuse,
    end: refuse,
    destroy: refuse,
    drained: () => Promise.resolve(),
    buffered: 0,
    started: false,
    closed: false,
  }
}
