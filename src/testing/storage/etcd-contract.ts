import { after, before, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { openEtcdStore } from '../../storage/etcd/etcd-store.js'
import { EtcdServer, type EtcdServerOptions, etcdMissing } from '../etcd/etcd-server.js'
import { currentRevision } from './contract/harness.js'
import { type StoreUnderTest, storeContract } from './contract/store-contract.js'

/** Registers the contract suite of stores on a real etcd, or a test that is skipped and says why there is none. */
export async function etcdContract(name: string, options: EtcdServerOptions, randomRuns: number): Promise<void> {
  const missing = await etcdMissing()
  if (missing) {
    test(`${name} keeps the contract of a store`, { skip: missing })
    return
  }
  describe(name, () => {
    let server: EtcdServer
    before(async () => {
      server = await EtcdServer.start(options)
    })
    after(() => server.close())
    storeContract(name, () => open(server), { randomRuns })
  })
}

let stores = 0

/** Every store has a prefix of its own, and is the only one on the server while it is used. */
async function open(server: EtcdServer): Promise<StoreUnderTest> {
  const prefix = `/registry-${stores++}`
  const openAgain = () => openEtcdStore({ ...server.connection, prefix }, environment())
  const store = await openAgain()
  // As if what others did before had never been.
  await store.compact(await currentRevision(store))
  return {
    store,
    pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    async reopen() {
      await store.close()
      return openAgain()
    },
  }
}
