import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { writeRegistryMirror } from '../../cri/containerd/registry-host.js'
import { markerFile, unfinishedMarkerFile, writeMarker } from './marker.js'
import { recordFile } from './record.js'
import { foreignEntries, removeContents } from './removal.js'

/** What the parts of a cluster write, one of each kind. */
const ownFiles = [
  ...[unfinishedMarkerFile, recordFile, `${recordFile}.4711`, 'up.log', 'last-up.json', 'last-up.json.new'],
  ...['admin.kubeconfig', 'proxy.kubeconfig.new', 'pki/ca.key', 'pki/apiserver-kubelet-client.crt', 'pki/sa.key'],
  ...['store/data.mdb', 'store/lock.mdb', 'store/journal-0', 'store/journal-1.taken', 'store/holder.json'],
  ...['.store.restoring/data.mdb', 'addresses/proa/10.244.0.2', 'nodes/vm/pki/kubelet.crt'],
  ...['nodes/vm/pods/4711/volumes/kubernetes.io~empty-dir/cache/anything', 'nodes/vm/logs/default_web_4711/0.log'],
  ...['nodes/vm/cpu_manager_state', 'nodes/vm/image_manager/pulled/sha256-1'],
  ...['containerd/config.toml', 'containerd/containerd.log', 'containerd/root/a/b', 'containerd/state/c'],
  ...['containerd/runc/k8s.io/x', 'containerd/opt/bin/y', 'containerd/net.d/10-proa.conflist'],
]

function dataDirectory(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-removal-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  writeMarker(folder, { name: 'trial', version: '0.1.0', createdAt: '', isDirectoryMade: true })
  for (const path of ownFiles) write(folder, path)
  writeRegistryMirror(join(folder, 'containerd/registries'), { host: 'docker.io', server: 's', mirror: 'm' })
  return folder
}

function write(folder: string, path: string): string {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, 'content')
  return whole
}

describe('what Proa removes from a data directory', () => {
  test('is all that it made', async (context) => {
    const folder = dataDirectory(context)
    assert.deepEqual(foreignEntries(folder), [])
    assert.deepEqual(await removeContents(folder), [])
    assert.deepEqual(readdirSync(folder), [])
  })

  /** What a user may put there, and what of it is named: of a directory that is theirs, only the directory. */
  const usersOwn: Readonly<Record<string, string>> = {
    'notes.txt': 'notes.txt',
    '.hidden': '.hidden',
    'backup/store/data.mdb': 'backup',
    'pki/my-ca.crt': 'pki/my-ca.crt',
    'store/copy.mdb': 'store/copy.mdb',
    'running.json.bak': 'running.json.bak',
    'proa-cluster.json.old': 'proa-cluster.json.old',
    'nodes/vm/seccomp/strict.json': 'nodes/vm/seccomp',
    'containerd/net.d/99-mine.conf': 'containerd/net.d/99-mine.conf',
    'containerd/registries/docker.io/ca.crt': 'containerd/registries/docker.io/ca.crt',
    'containerd/registries/registry.example/hosts.toml': 'containerd/registries/registry.example',
  }
  for (const [path, named] of Object.entries(usersOwn))
    test(`is not ${path}, which is the user's`, async (context) => {
      const folder = dataDirectory(context)
      const kept = write(folder, path)
      assert.deepEqual(foreignEntries(folder), [join(folder, named)])
      assert.deepEqual(await removeContents(folder), [join(folder, named)])
      assert.equal(readFileSync(kept, 'utf8'), 'content')
      assert.deepEqual(filesIn(folder), [path])
    })

  test('is not a mirror of Docker Hub that the user wrote', async (context) => {
    const folder = dataDirectory(context)
    const file = write(folder, 'containerd/registries/docker.io/hosts.toml')
    assert.deepEqual(await removeContents(folder), [file])
    assert.deepEqual(readdirSync(folder), ['containerd'])
  })

  test('is not a directory in place of a file, nor a file in place of a directory', async (context) => {
    const folder = dataDirectory(context)
    rmSync(join(folder, 'up.log'))
    rmSync(join(folder, 'addresses'), { recursive: true })
    write(folder, 'up.log/mine')
    write(folder, 'addresses')
    assert.deepEqual([...(await removeContents(folder))].sort(), [join(folder, 'addresses'), join(folder, 'up.log')])
  })
})

describe('a link in a data directory', () => {
  for (const path of ['containerd', 'nodes', 'nodes/vm', 'nodes/vm/pods', 'store', 'pki', 'containerd/root', 'up.log'])
    test(`in place of ${path} stays, and is not followed`, async (context) => {
      const folder = dataDirectory(context)
      const elsewhere = mkdtempSync(join(tmpdir(), 'proa-elsewhere-'))
      context.after(() => rmSync(elsewhere, { recursive: true }))
      for (const file of ['data.mdb', 'root/a', 'vm/pods/b', 'pods/c', 'ca.key']) write(elsewhere, file)
      const before = filesIn(elsewhere)
      rmSync(join(folder, path), { recursive: true })
      symlinkSync(elsewhere, join(folder, path))
      assert.deepEqual(await removeContents(folder), [join(folder, path)])
      assert.deepEqual(filesIn(elsewhere), before)
    })

  test('that a pod made goes with the pod, and is not followed', async (context) => {
    const folder = dataDirectory(context)
    const elsewhere = mkdtempSync(join(tmpdir(), 'proa-elsewhere-'))
    context.after(() => rmSync(elsewhere, { recursive: true }))
    write(elsewhere, 'precious')
    symlinkSync(elsewhere, join(folder, 'nodes/vm/pods/4711/volumes/link'))
    assert.deepEqual(await removeContents(folder), [])
    assert.ok(existsSync(join(elsewhere, 'precious')))
  })
})

test('the marker goes last: a removal that fails can be repeated', async (context) => {
  const folder = dataDirectory(context)
  const unreadable = join(folder, 'containerd/registries/docker.io/hosts.toml')
  rmSync(unreadable)
  const socket = createServer().listen(unreadable)
  await once(socket, 'listening')
  await assert.rejects(removeContents(folder), { code: 'ENXIO' })
  assert.ok(existsSync(join(folder, markerFile)))
  socket.close()
  await once(socket, 'close')
  assert.deepEqual(await removeContents(folder), [])
  assert.deepEqual(readdirSync(folder), [])
})

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}
