import { after, before, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { EtcdServer, etcdMissing } from '../../testing/etcd-server.js'
import { currentRevision } from '../contract/bench.js'
import { type OpenStore, storeContract } from '../contract/store-contract.js'
import { openEtcdStore } from './etcd-store.js'

const missing = await etcdMissing()

for (const tls of [false, true]) {
  const name = tls ? 'a member that wants TLS and client certificates' : 'a single member'
  if (missing) test(`etcd, ${name}, keeps the contract of a store`, { skip: missing })
  else
    describe(`etcd, ${name}`, () => {
      let server: EtcdServer
      before(async () => {
        server = await EtcdServer.start({ tls })
      })
      after(() => server.close())
      storeContract(`etcd, ${name},`, (context) => open(server)(context), { stories: tls ? 3 : 15 })
    })
}

let stores = 0

/** Every store has a prefix of its own, and is the only one on the server while it is used. */
function open(server: EtcdServer): OpenStore {
  return async () => {
    const prefix = `/registry-${stores++}`
    const reopened = () => openEtcdStore({ ...server.connection, prefix }, environment())
    const store = await reopened()
    // As if what others did before had never been.
    await store.compact(await currentRevision(store))
    return {
      store,
      pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      async reopen() {
        await store.close()
        return reopened()
      },
    }
  }
}
