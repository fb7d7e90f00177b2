import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after } from 'node:test'
import { internalErrorMessage } from '../../apiserver/response/send-response.js'
import { environment } from '../../base/environment.js'
import { logger } from '../../base/logging.js'
import { Kubectl, kubectlMissing } from '../kubectl/kubectl.js'
import { kubectlWords } from './kubectl-process.js'
import { containerStatusOf, idle, script, type TestNodeHarness, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'
import { printSizeOnceSet, TerminalSession } from './terminal-session.js'

const kubectls: Kubectl[] = []
after(() => {
  for (const kubectl of kubectls) kubectl.close()
})

function kubectlOf({ cluster, namespace }: TestNodeHarness): Kubectl {
  const kubectl = new Kubectl(cluster, namespace)
  kubectls.push(kubectl)
  return kubectl
}

const complaints: string[] = []
const log = logger({
  now: () => Date.now(),
  write: ({ message, fields }) => complaints.push(`${message}: ${fields.error}`),
})

/** Logs and exec, as somebody types them. */
await nodeSuite(
  'kubectl',
  {
    'logs: all that a container said, or the part that is asked for': async (harness) => {
      const kubectl = kubectlOf(harness)
      const text = 'echo one; sleep 0.3; echo two >&2; sleep 0.3; echo three; sleep 1.2; echo four; echo -n five'
      await harness.run('p', { restartPolicy: 'Never', containers: [script('c', text), script('d', 'echo other')] })
      await harness.over('p')
      const logs = (...args: string[]) => kubectl.ok('logs', 'p', '-c', 'c', ...args)
      assert.equal(await logs(), 'one\ntwo\nthree\nfour\nfive')
      assert.equal(await logs('--tail=2'), 'four\nfive')
      assert.equal(await logs('--limit-bytes=6'), 'one\ntw')
      const stamped = (await logs('--timestamps')).split('\n')
      assert.match(stamped[0]!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z one$/)
      // What kubectl sends has no fractions of a second.
      const [fourth] = stamped[3]!.split(' ')
      assert.equal(await logs(`--since-time=${fourth}`), 'four\nfive')
      assert.equal(await logs('--since=1h'), 'one\ntwo\nthree\nfour\nfive')
      assert.match(await kubectl.ok('logs', 'p', '--all-containers', '--prefix'), /\[pod\/p\/d\] other\n/)
      assert.match(await kubectl.fails('logs', 'p', '-c', 'e'), /container e is not valid for pod p/)
    },

    'logs -f: until the end, or until nobody listens': async (harness) => {
      const kubectl = kubectlOf(harness)
      await harness.once('p', script('c', 'for i in 1 2 3 4 5; do echo $i; sleep 0.3; done'))
      await harness.lines('p', 1)
      assert.equal(await kubectl.ok('logs', '-f', 'p'), '1\n2\n3\n4\n5\n')
      await harness.run('q', { containers: [script('c', 'while :; do echo tick; sleep 0.1; done')] })
      await harness.ready('q')
      const child = kubectl.start('logs', '-f', 'q')
      await once(child.stdout!, 'data')
      child.kill('SIGINT')
      await once(child, 'exit')
      await harness.pods.delete('q')
      await harness.gone('q')
      assert.deepEqual(
        complaints.filter((complaint) => complaint.includes(internalErrorMessage)),
        [],
      )
    },

    'logs --previous: of the container before this one': async (harness) => {
      const kubectl = kubectlOf(harness)
      const volumeMounts = [{ name: 'v', mountPath: '/v' }]
      const text = `test -e /v/again && { echo second; ${idle}; }; touch /v/again; echo first; exit 1`
      await harness.run('p', {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [script('c', text, { volumeMounts })],
      })
      await harness.pod(
        'p',
        (pod) => containerStatusOf(pod)?.restartCount === 1 && containerStatusOf(pod)?.state?.running !== undefined,
      )
      await harness.lines('p', 1)
      assert.equal(await kubectl.ok('logs', 'p'), 'second\n')
      assert.equal(await kubectl.ok('logs', '--previous', 'p'), 'first\n')
    },

    'logs: nothing is lost while a long log is moved away': async (harness) => {
      const kubectl = kubectlOf(harness)
      const count = 3000
      const lines = `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo $i of a log that grows and grows; [ $((i % 100)) = 0 ] && sleep 0.1; done`
      const wait = 'echo 0; until test -e /tmp/go; do sleep 0.1; done'
      await harness.run('p', { containers: [script('c', `${wait}; ${lines}; ${idle}`)] })
      await harness.lines('p', 1)
      const child = kubectl.start('logs', '-f', 'p')
      let seen = ''
      child.stdout!.setEncoding('utf8').on('data', (piece: string) => (seen += piece))
      await until(async () => seen !== '')
      await harness.exec('p', 'c', 'touch /tmp/go')
      await until(async () => seen.includes(`${count} of`))
      child.kill('SIGINT')
      const numbers = seen
        .split('\n')
        .slice(0, -1)
        .map((line) => Number.parseInt(line, 10))
      assert.deepEqual(
        numbers,
        Array.from({ length: count + 1 }, (_, index) => index),
      )
      // What is asked for afterwards is only the last part: the others are in files of their own.
      assert.ok((await kubectl.ok('logs', 'p')).length < seen.length)
    },

    'exec: what goes in, what comes out, and how it ended': async (harness) => {
      const kubectl = kubectlOf(harness)
      await harness.run('p', { containers: [script('c', idle), script('d', idle)] })
      await harness.ready('p')
      const { code, stdout, stderr } = await kubectl.run([
        'exec',
        'p',
        '-c',
        'c',
        '--',
        'sh',
        '-c',
        'echo out; echo err >&2; exit 42',
      ])
      assert.deepEqual([code, stdout], [42, 'out\n'])
      assert.equal(stderr, 'err\ncommand terminated with exit code 42\n')
      const input = 'x'.repeat(300_000)
      const counted = await kubectl.run(['exec', '-i', 'p', '-c', 'd', '--', 'wc', '-c'], { input })
      assert.deepEqual([counted.code, counted.stdout.trim()], [0, String(input.length)])
      assert.match(await kubectl.fails('exec', 'p', '-c', 'c', '--', 'no-such-program'), /executable file not found/)
      assert.match(await kubectl.ok('exec', 'p', '--', 'hostname'), /^p\n$/)
    },

    'exec -it: a terminal, of the size of one’s own': async (harness) => {
      await harness.run('p', { containers: [script('c', idle)] })
      await harness.ready('p')
      await using session = new TerminalSession([...kubectlWords('original', harness), 'exec', '-it', 'p', '--', 'sh'])
      await session.type('tty\r', /\/dev\/pts\/\d/)
      await session.type(printSizeOnceSet, /33 77/)
      await session.type('exit 5\r', /command terminated with exit code 5/)
      assert.equal(await session.ended(), 5)
    },
  },
  {
    skip: kubectlMissing(),
    cluster: { environment: environment({ log }) },
    settings: { logs: { maxSize: 20_000, interval: 200 } },
  },
)
