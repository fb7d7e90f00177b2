import assert from 'node:assert/strict'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { environment } from '../../base/environment.js'
import { type LogRecord, logger, silentLogger } from '../../base/logging.js'
import { type Random, seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Client } from '../../client/client.js'
import { inProcessTransport } from '../../client/in-process.js'
import { type Change, type Informer, keyOf } from '../../client/informers/informer.js'
import { Informers } from '../../client/informers/informers.js'
import type { ResourceClient } from '../../client/resource-client.js'
import type { ClientRequest, Transport } from '../../client/transport.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { startTestApiServer, type TestApiServer } from '../servers/api-server.js'
import { administrator } from '../servers/clients.js'
import { FaultyTransport, type TransportFault } from './faulty-transport.js'

export const harnessNamespace = 'default'

/** An informer of config maps behind a faulty transport, on a virtual clock. */
export class InformerHarness implements AsyncDisposable {
  readonly clock = new VirtualClock()
  /** The log records of the informers. */
  readonly records: LogRecord[] = []
  /** The requests of the informer, each with its time. */
  readonly requests: { readonly request: ClientRequest; readonly at: number }[] = []
  readonly environment = environment({
    clock: this.clock,
    random: seededRandom(1),
    log: logger({ now: () => this.clock.now(), write: (record) => this.records.push(record) }),
  })
  readonly informers: Informers
  /** A client whose transport has no faults. */
  readonly client: Client
  readonly configMaps: ResourceClient<ConfigMap>
  readonly transport: FaultyTransport
  faultOf: (request: ClientRequest) => TransportFault = () => ({})
  #store: MemoryStore
  #server: TestApiServer | undefined
  #reached: Transport | undefined

  private constructor() {
    this.#store = new MemoryStore({ environment: this.environment })
    const there = () => this.#reached ?? unreachable
    this.transport = new FaultyTransport(this.clock, there, (request) => {
      this.requests.push({ request, at: this.clock.monotonic() })
      return this.faultOf(request)
    })
    this.informers = new Informers(new Client(this.transport, { clock: this.clock }), this.environment)
    this.client = new Client(new FaultyTransport(this.clock, there), { clock: this.clock })
    this.configMaps = this.client.resource(ConfigMap).in(harnessNamespace)
  }

  static async start(): Promise<InformerHarness> {
    const harness = new InformerHarness()
    await harness.startServer()
    return harness
  }

  /** Starts a server on the current store, or on a backup. */
  async startServer(store: MemoryStore = this.#store): Promise<void> {
    this.#store = store
    const serverEnvironment = { ...this.environment, log: silentLogger }
    this.#server = await startTestApiServer({ environment: serverEnvironment, store })
    this.#reached = inProcessTransport({ handle: this.#server.api.handleInProcess, user: administrator })
  }

  /** Stops the server and keeps its data for the next one. */
  async stopServer(): Promise<void> {
    const backup = this.backup()
    this.#reached = undefined
    await this.#server?.close()
    this.#server = undefined
    this.#store = backup
  }

  backup(): MemoryStore {
    return this.#store.fork()
  }

  /** Returns the informer after it has synced. */
  async synced(): Promise<Informer<ConfigMap>> {
    const informer = this.informers.of(ConfigMap)
    await this.clock.runUntil(() => informer.isSynced)
    return informer
  }

  put(name: string, value: string): Promise<ConfigMap> {
    return this.configMaps.apply({ metadata: { name }, data: { value } }, { fieldManager: 'tester' })
  }

  /** Advances the revision by writes that the informer does not watch. */
  async letRevisionsPass(count: number): Promise<void> {
    const namespaces = this.client.resource(Namespace)
    for (let i = 0; i < count; i++)
      await namespaces.patch(harnessNamespace, 'merge', {
        metadata: { annotations: { count: `${i} ${this.clock.now()}` } },
      })
  }

  /** Asserts that the informer's cache equals the store. */
  async assertEqual(informer: Informer<ConfigMap>): Promise<void> {
    const { items } = await this.configMaps.list()
    const held = [...informer.by('namespace', harnessNamespace)]
    assert.deepEqual(byName(held), byName(items))
    for (const item of items)
      assert.equal(
        informer.get(keyOf(item)),
        held.find((each) => keyOf(each) === keyOf(item)),
      )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informers.close()
    await this.stopServer()
    await this.#store.close()
  }
}

function byName(objects: Iterable<ConfigMap>): readonly ConfigMap[] {
  return [...objects].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

const unreachable: Transport = {
  send: async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  },
  close: () => {},
}

/** Applies the changes that an informer reports, and asserts that they are consistent. */
export class ChangeRecorder {
  readonly lines: string[] = []
  readonly objects = new Map<string, ConfigMap>()
  readonly #informer: Informer<ConfigMap>

  constructor(informer: Informer<ConfigMap>) {
    this.#informer = informer
    informer.onChange((change) => this.#take(change))
  }

  #take(change: Change<ConfigMap>): void {
    const { type, object, old } = change
    const key = keyOf(object)
    const known = this.objects.get(key)
    if (type === 'added') assert.equal(known, undefined)
    if (type === 'updated') assert.ok(old && known === old && known.metadata.uid === object.metadata.uid)
    if (type === 'deleted') assert.equal(known?.metadata.uid, object.metadata.uid)
    if (type === 'deleted') this.objects.delete(key)
    else this.objects.set(key, object)
    assert.equal(this.#informer.get(key), this.objects.get(key))
    assert.equal(this.#informer.size, this.objects.size)
    if (object.metadata.namespace === harnessNamespace && !key.endsWith('kube-root-ca.crt'))
      this.lines.push(`${type} ${object.metadata.name} ${object.data?.value}`)
  }
}

/** Writes config maps at random, and records the changes that an informer must report. */
export class RandomWriter {
  readonly written: string[] = []
  readonly #harness: InformerHarness
  readonly #random: Random
  readonly #values = new Map<string, string>()
  #count = 0

  constructor(harness: InformerHarness, random: Random) {
    this.#harness = harness
    this.#random = random
  }

  async write(): Promise<void> {
    const name = `object-${this.#random.integer(8)}`
    const old = this.#values.get(name)
    if (old !== undefined && this.#random.float() < 0.3) {
      await this.#harness.configMaps.delete(name)
      this.#values.delete(name)
      this.written.push(`deleted ${name} ${old}`)
      return
    }
    const value = `${this.#count++}`
    await this.#harness.put(name, value)
    this.#values.set(name, value)
    this.written.push(`${old === undefined ? 'added' : 'updated'} ${name} ${value}`)
  }

  /** Reads the current values again after the store was restored from a backup. */
  async reload(): Promise<void> {
    this.#values.clear()
    for (const { metadata, data } of (await this.#harness.configMaps.list()).items)
      if (metadata.name!.startsWith('object-')) this.#values.set(metadata.name!, data?.value ?? '')
  }
}
