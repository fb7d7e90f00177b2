import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '../../base/environment.js'
import { AdvancingClock } from '../contract/advancing-clock.js'
import { storeContract } from '../contract/store-contract.js'
import { openEmbeddedStore } from './embedded-store.js'

storeContract('embedded', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'proa-store-'))
  context.after(() => rmSync(directory, { recursive: true, force: true }))
  const clock = new AdvancingClock()
  let store = await openEmbeddedStore({ directory, environment: environment({ clock }) })
  return {
    store,
    pass: (milliseconds) => clock.advance(milliseconds),
    async reopen() {
      await store.close()
      store = await openEmbeddedStore({ directory, environment: environment({ clock }) })
      return store
    },
  }
})
