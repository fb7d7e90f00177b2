import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type KubectlProgram, kubectlPrograms, startedKubectls } from './kubectl-process.js'
import { idle, script, type TestNodeHarness } from './node-harness.js'
import { type NodeTest, nodeSuite } from './node-suite.js'

const kubectls = startedKubectls()
const home = mkdtempSync(join(tmpdir(), 'proa-copying-'))
after(() => {
  kubectls.close()
  rmSync(home, { recursive: true, force: true })
})

/** A folder of this name with files, links and folders in it, large and small. */
function folder(name: string): string {
  const path = join(home, name)
  mkdirSync(join(path, 'deep/er', 'empty'), { recursive: true })
  writeFileSync(join(path, 'plain'), 'plain text\n')
  writeFileSync(join(path, 'deep/er/large'), Buffer.alloc(3_000_000, 'all that there is '))
  writeFileSync(join(path, 'run'), '#!/bin/sh\necho it runs\n', { mode: 0o755 })
  writeFileSync(join(path, 'nothing'), '')
  writeFileSync(join(path, 'with spaces and é'), 'é')
  symlinkSync('plain', join(path, 'link'))
  return path
}

function fileHere(name: string, content: string): string {
  const path = join(home, name)
  writeFileSync(path, content, { mode: 0o640 })
  return path
}

const removing = "tar: removing leading '/' from member names\n"

function skipped(target: string): string {
  const advice = '(consider using "kubectl exec -n "" "p" -- tar cf - "/tmp/out" | tar xf -")'
  return `warning: skipping symlink: "${target}/other" -> "/etc" ${advice}\nwarning: skipping symlink: "${target}/soft" -> "a/b/one"\n`
}

async function copy(program: KubectlProgram, harness: TestNodeHarness, ...args: readonly string[]) {
  const kubectl = kubectls.start(program, harness, 'cp', ...args)
  kubectl.endInput()
  const { code, stderr } = await kubectl.ended()
  // The original may be gone before it hears of it.
  return { code, stdout: kubectl.stdout.replace(removing, ''), stderr: stderr.replace(early, '') }
}

/** The original says so of what comes before it listens: the empty message by which servers tell that they are there. */
const early = /^E.* websocket\.go:\d+\] Unknown stream id \d, discarding message\n/gm

const done = { code: 0, stdout: '', stderr: '' }

async function pod(harness: TestNodeHarness): Promise<void> {
  await harness.run('p', { containers: [script('c', idle), script('d', idle)] })
  await harness.ready('p')
}

function tests(program: KubectlProgram): Readonly<Record<string, NodeTest>> {
  return {
    [`cp (${program}): a folder goes in, with all that is in it`]: async (harness) => {
      await pod(harness)
      const source = folder(`in-${program}`)
      assert.deepEqual(await copy(program, harness, source, 'p:/tmp/new', '-c', 'c'), done)
      const look = (path: string) =>
        harness.exec('p', 'c', `cd ${path}; find . | sort; cat plain link; ./run; wc -c < deep/er/large`)
      const seen = await look('/tmp/new')
      assert.equal(
        seen,
        './\n./deep\n./deep/er\n./deep/er/empty\n./deep/er/large\n./link\n./nothing\n./plain\n./run\n./with spaces and é\nplain text\nplain text\nit runs\n3000000\n'.replace(
          './\n',
          '.\n',
        ),
      )
      assert.deepEqual(await copy(program, harness, `${source}/`, `${harness.namespace}/p:/tmp/`, '-c', 'c'), done)
      assert.equal(await look(`/tmp/in-${program}`), seen)
      assert.equal((await harness.exec('p', 'c', 'readlink /tmp/new/link')).trim(), 'plain')
    },

    [`cp (${program}): a file goes in and comes back, under other names`]: async (harness) => {
      await pod(harness)
      const file = fileHere(`file-${program}`, 'what is in it\n')
      const chosen = { ...done, stderr: 'Defaulted container "c" out of: c, d\n' }
      assert.deepEqual(await copy(program, harness, file, 'p:/tmp/other', '--no-preserve'), chosen)
      assert.equal(await harness.exec('p', 'c', 'cat /tmp/other'), 'what is in it\n')
      const back = join(home, `back-${program}`, 'new')
      const { code, stderr, stdout } = await copy(program, harness, 'p:/tmp/other', back)
      assert.deepEqual([code, stdout, stderr], [0, chosen.stderr, ''])
      assert.equal(readFileSync(back, 'utf8'), 'what is in it\n')
    },

    [`cp (${program}): a folder comes out, without its links`]: async (harness) => {
      await pod(harness)
      const words = [
        'mkdir -p /tmp/out/a/b /tmp/out/empty && cd /tmp/out && echo one > a/b/one && echo two > two',
        'ln -s a/b/one soft && ln -s /etc other && head -c 2000000 /dev/zero > zeros && ln two twin',
      ].join(' && ')
      await harness.exec('p', 'c', words)
      const target = join(home, `out-${program}`)
      const { code, stdout, stderr } = await copy(program, harness, 'p:/tmp/out', target, '-c', 'c')
      assert.deepEqual([code, stdout, stderr], [0, '', skipped(target)])
      assert.deepEqual(readdirSync(target, { recursive: true }).sort(), [
        'a',
        'a/b',
        'a/b/one',
        'empty',
        'twin',
        'two',
        'zeros',
      ])
      assert.equal(readFileSync(join(target, 'a/b/one'), 'utf8'), 'one\n')
      assert.equal(statSync(join(target, 'zeros')).size, 2_000_000)
      if (program === 'ours') assert.equal(readFileSync(join(target, 'twin'), 'utf8'), 'two\n') // the original leaves it empty
      const again = await copy(program, harness, 'p:/tmp/out', `${target}-again`, '-c', 'c', '--retries=3')
      assert.deepEqual(again, { code: 0, stdout: '', stderr: skipped(`${target}-again`) })
      assert.equal(statSync(join(`${target}-again`, 'zeros')).size, 2_000_000)
    },

    [`cp (${program}): what is not there, or cannot be`]: async (harness) => {
      await pod(harness)
      const target = join(home, `none-${program}`)
      const missing = join(home, 'nothing')
      assert.deepEqual(await copy(program, harness, missing, 'p:/tmp', '-c', 'c'), {
        ...done,
        code: 1,
        stderr: `error: ${missing} doesn't exist in local filesystem\n`,
      })
      assert.deepEqual(await copy(program, harness, 'p:/etc/passwd', target, '-c', 'nothing'), {
        ...done,
        code: 1,
        stderr: 'Error from server (BadRequest): container nothing is not valid for pod p\n',
      })
      const { code, stderr } = await copy(program, harness, 'p:/etc/passwd', home, '-c', 'c')
      assert.deepEqual([code, stderr], [1, `error: open ${home}: is a directory\n`])
    },
  }
}

/** Where the original is in too much of a hurry to see it. */
const hurrying: Readonly<Record<string, NodeTest>> = {
  'cp: what tar says of a copy that failed is told, and how it ended': async (harness) => {
    await pod(harness)
    const { code, stdout, stderr } = await copy('ours', harness, 'p:/nothing', join(home, 'none'), '-c', 'c')
    assert.deepEqual([code, stderr], [1, 'command terminated with exit code 1\n'])
    assert.match(stdout, /^tar: \/nothing: No such file or directory\n/)
    const into = await copy('ours', harness, fileHere('small', 'x'), 'p:/no/such/folder', '-c', 'c')
    assert.equal(into.code, 1)
    assert.match(into.stderr, /^tar: can't change directory.*\ncommand terminated with exit code 1\n$/)
  },
}

await nodeSuite('copying', { ...Object.assign({}, ...kubectlPrograms().map(tests)), ...hurrying })
