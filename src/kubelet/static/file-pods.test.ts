import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { type LogRecord, logger } from '../../base/logging.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { parseYaml } from '../../wire/yaml.js'
import { staticPods } from './file-pods.js'
import type { ManifestFile } from './manifest-folder.js'
import type { StaticPods } from './static-pods.js'

const manifest = (name: string, image = 'web:1') =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image }] } })
const namesIn = (pods: StaticPods) => pods.list().map(({ metadata }) => metadata.name)
const identity = { nodeName: 'host' }

describe('static pods', () => {
  /** A manifest folder in memory. */
  async function told() {
    await parseYaml('{}') // loads the parser first: a virtual clock would not wait for it
    const clock = new VirtualClock()
    const logged: LogRecord[] = []
    const log = logger({ now: () => 0, write: (record) => logged.push(record) })
    const files = new Map<string, string>()
    let changed = () => {}
    let isReadable = true
    const from = {
      async read(): Promise<readonly ManifestFile[]> {
        if (!isReadable) throw new Error('permission denied')
        return [...files].map(([path, text]) => ({ path, text }))
      },
      watch(listener: () => void) {
        changed = listener
        return () => {}
      },
    }
    const pods = staticPods({ environment: environment({ clock, log }), identity, from })
    await pods.synced
    return {
      clock,
      pods,
      logged,
      write: (path: string, text: string) => void files.set(path, text),
      remove: (path: string) => void files.delete(path),
      hear: async () => {
        changed()
        await clock.advance(20)
      },
      lock: () => {
        isReadable = false
      },
    }
  }

  test('appear and disappear with their files', async () => {
    const { pods, write, remove, hear } = await told()
    let changes = 0
    pods.onChange(() => changes++)
    write('a', manifest('one'))
    write('b', manifest('two'))
    await hear()
    assert.deepEqual(namesIn(pods), ['one-host', 'two-host'])
    assert.equal(changes, 1)
    remove('a')
    await hear()
    assert.deepEqual(namesIn(pods), ['two-host'])
    await hear()
    assert.equal(changes, 2)
    pods.close()
  })

  test('are reread every twenty seconds', async () => {
    const { pods, write, clock } = await told()
    write('a', manifest('one'))
    await clock.advance('19s')
    assert.deepEqual(namesIn(pods), [])
    await clock.advance('1s')
    assert.deepEqual(namesIn(pods), ['one-host'])
    pods.close()
    assert.equal(clock.pending, 0)
  })

  test('have the time when they were first seen', async () => {
    const { pods, write, clock } = await told()
    write('a', manifest('one'))
    await clock.advance('20s')
    const [before] = pods.list()
    assert.equal(before?.metadata.annotations?.['kubernetes.io/config.seen'], '2026-01-01T00:00:20.000Z')
    write('a', `${manifest('one')}\n`)
    await clock.advance('20s')
    assert.equal(pods.list()[0], before)
    pods.close()
  })

  test('are replaced when their files change', async () => {
    const { pods, write, hear } = await told()
    write('a', manifest('one'))
    await hear()
    const [before] = pods.list()
    write('a', manifest('one', 'web:2'))
    await hear()
    assert.notEqual(pods.list()[0]?.metadata.uid, before?.metadata.uid)
    pods.close()
  })

  test('with invalid manifests are logged and skipped', async () => {
    const { pods, write, hear, logged } = await told()
    write('a', '{')
    write('b', manifest('two'))
    await hear()
    assert.deepEqual(namesIn(pods), ['two-host'])
    assert.equal(logged.length, 1)
    assert.equal(logged[0]?.fields.path, 'a')
    await hear()
    assert.equal(logged.length, 1)
    pods.close()
  })

  test('keep running while their file is written, and end if it stays invalid', async () => {
    const { pods, write, hear, clock } = await told()
    write('a', manifest('one'))
    await hear()
    write('a', '{ "apiVersion": ')
    await hear()
    assert.deepEqual(namesIn(pods), ['one-host'])
    await clock.advance('20s')
    assert.deepEqual(namesIn(pods), [])
    pods.close()
  })

  test('with a duplicate name are skipped', async () => {
    const { pods, write, hear, logged } = await told()
    write('a', manifest('one'))
    write('b', manifest('one', 'other'))
    await hear()
    assert.equal(pods.list().length, 1)
    assert.equal(pods.list()[0]?.spec.containers?.[0]?.image, 'web:1')
    assert.equal(logged.length, 1)
    pods.close()
  })

  test('keep running if their folder is unreadable', async () => {
    const { pods, write, hear, lock, clock } = await told()
    write('a', manifest('one'))
    await hear()
    lock()
    await clock.advance('1m')
    assert.deepEqual(namesIn(pods), ['one-host'])
    pods.close()
  })
})

describe('a folder of manifests', () => {
  const root = mkdtempSync(join(tmpdir(), 'proa-static-'))
  const alive = setInterval(() => {}, 60_000) // neither timers nor a watch keep the process alive
  after(() => {
    clearInterval(alive)
    rmSync(root, { recursive: true })
  })
  let folders = 0
  const newFolder = () => join(root, `${folders++}`)
  const until = (pods: StaticPods, names: readonly string[]) =>
    new Promise<void>((resolve) => {
      const isThere = () => {
        if (namesIn(pods).join() !== names.join()) return false
        resolve()
        return true
      }
      if (!isThere()) pods.onChange(isThere)
    })

  test('reports created, renamed and removed files', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.json'), manifest('one'))
    const pods = staticPods({ environment: environment(), identity, from: folder })
    await pods.synced
    assert.deepEqual(namesIn(pods), ['one-host'])
    writeFileSync(join(folder, '.hidden'), manifest('two'))
    renameSync(join(folder, '.hidden'), join(folder, 'b.yaml'))
    await until(pods, ['one-host', 'two-host'])
    rmSync(join(folder, 'a.json'))
    await until(pods, ['two-host'])
    pods.close()
  })

  test('may be created later, and ignores what is not a file', async () => {
    const folder = newFolder()
    const pods = staticPods({ environment: environment(), identity, from: folder, period: 20 })
    await pods.synced
    assert.deepEqual(namesIn(pods), [])
    mkdirSync(join(folder, 'deeper'), { recursive: true })
    symlinkSync('/nowhere', join(folder, 'broken'))
    writeFileSync(join(folder, 'deeper', 'x.json'), manifest('hidden'))
    writeFileSync(join(folder, 'a.json'), manifest('one'))
    await until(pods, ['one-host'])
    pods.close()
  })

  test('may be a single file', async () => {
    const file = newFolder()
    writeFileSync(file, manifest('one'))
    const pods = staticPods({ environment: environment(), identity, from: file })
    await pods.synced
    assert.deepEqual(namesIn(pods), ['one-host'])
    pods.close()
  })
})
