import assert from 'node:assert/strict'
import { after } from 'node:test'
import {
  type KubectlProcess,
  type KubectlProgram,
  kubectlPrograms,
  kubectlWords,
  startedKubectls,
} from './kubectl-process.js'
import { containerStateOf, script, type TestNodeHarness } from './node-harness.js'
import { type NodeTest, nodeSuite } from './node-suite.js'
import { printSizeOnceSet, TerminalSession } from './terminal-session.js'

const kubectls = startedKubectls()
after(() => kubectls.close())

/**
 * Says what it reads, once it is let. Until then it says that it waits: who hears that is attached, while a runtime may hand on what is
 * typed before it listens to what is said. Nor does every runtime hand on what a container says in its very last moment.
 */
const parrot = `
  until test -e /tmp/go; do echo wait; sleep 0.1; done
  while read line; do
    echo "heard $line"
    if [ "$line" = bye ]; then sleep 0.3; exit 3; fi
  done
  echo over
  sleep 0.3`

/** Newer ones say more in front of it. */
const prompt = "If you don't see a command prompt, try pressing enter.\n"

/** To the parrot, which then listens. */
async function attached(program: KubectlProgram, harness: TestNodeHarness): Promise<KubectlProcess> {
  const kubectl = kubectls.start(program, harness, 'attach', '-iq', 'p')
  await kubectl.said(/wait\n/)
  await harness.exec('p', 'c', 'touch /tmp/go')
  return kubectl
}

function tests(program: KubectlProgram): Readonly<Record<string, NodeTest>> {
  return {
    [`attach (${program}): what a container says from now on`]: async (harness) => {
      const words = 'until test -e /tmp/go; do echo wait; sleep 0.1; done; echo one; echo two >&2; sleep 0.3'
      await harness.once('p', script('c', words))
      await running(harness, 'p')
      const kubectl = kubectls.start(program, harness, 'attach', 'p')
      await kubectl.said(/wait\n/)
      await harness.exec('p', 'c', 'touch /tmp/go')
      const { code, stderr } = await kubectl.ended()
      assert.match(kubectl.stdout, /^(wait\n)+one\n$/)
      assert.deepEqual([code, stderr.endsWith(`${prompt}two\n`)], [0, true], stderr)
    },

    [`attach -i (${program}): what is typed, until there is no more`]: async (harness) => {
      await harness.once('p', script('c', parrot, { stdin: true, stdinOnce: true }))
      await running(harness, 'p')
      const kubectl = await attached(program, harness)
      kubectl.type('hello\n')
      await kubectl.said(/heard hello\n/)
      kubectl.endInput()
      assert.deepEqual(await kubectl.ended(), { code: 0, stderr: '' })
      assert.match(kubectl.stdout, /^(wait\n)+heard hello\nover\n$/)
    },

    [`attach -i (${program}): nobody waits for input when the container has ended`]: async (harness) => {
      await harness.once('p', script('c', parrot, { stdin: true }))
      await running(harness, 'p')
      const kubectl = await attached(program, harness)
      kubectl.type('bye\n')
      assert.deepEqual(await kubectl.ended(), { code: 0, stderr: '' })
      assert.match(kubectl.stdout, /^(wait\n)+heard bye\n$/)
    },

    [`attach -it (${program}): a terminal of the size of one’s own, and how to come back`]: async (harness) => {
      await harness.run('p', { containers: [script('c', 'exec sh', { stdin: true, tty: true })] })
      await running(harness, 'p')
      await using session = new TerminalSession([...kubectlWords(program, harness), 'attach', '-it', 'p'])
      await session.type(printSizeOnceSet, /33 77/)
      await session.type('exit\r', /Session ended, resume using/)
      // Older ones leave the namespace out.
      assert.match(session.seen, /resume using 'kubectl attach p -c c( -n test-\d+)? -i -t' command/)
      assert.equal(await session.ended(), 0)
    },
  }
}

/** The original on the PATH may be older than that. */
const leaving: Readonly<Record<string, NodeTest>> = {
  'attach -it: the keys that leave let the container run on': async (harness) => {
    await harness.run('p', { containers: [script('c', 'exec sh', { stdin: true, tty: true })] })
    await running(harness, 'p')
    const words = [...kubectlWords('ours', harness), 'attach', '-it', 'p']
    {
      await using session = new TerminalSession(words)
      await session.type('place=here; echo set\r', /\nset\r/)
      await session.type('\x10\x11', /Session ended/)
      assert.equal(await session.ended(), 0)
    }
    await using again = new TerminalSession([...words, '--detach-keys=ctrl-a'])
    await again.type('echo I am $place\r', /I am here/)
    await again.type('\x01', /Session ended/)
    assert.equal(await again.ended(), 0)
    assert.ok(containerStateOf(await harness.pods.get('p'))?.running)
  },
}

async function running(harness: TestNodeHarness, name: string): Promise<void> {
  await harness.pod(name, (pod) => containerStateOf(pod)?.running !== undefined)
}

await nodeSuite('attaching', { ...Object.assign({}, ...kubectlPrograms().map(tests)), ...leaving })
