import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { Service } from '../../api/core/v1/service.js'
import { type KubectlProcess, type KubectlProgram, kubectlPrograms, startedKubectls } from './kubectl-process.js'
import { idle, script, server, until } from './node-harness.js'
import { type NodeTest, nodeSuite } from './node-suite.js'

const kubectls = startedKubectls()
after(() => kubectls.close())

/** What is said on a connection to a port here after all that has been sent, by the end of which the answer is known to be whole. */
async function asked(port: number, words: string, host = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host, allowHalfOpen: true })
  const answer = text(socket)
  socket.end(words)
  return answer
}

const question = 'GET / HTTP/1.0\r\n\r\n'

/** The port that was found for the first of those that are forwarded. */
async function forwarded(kubectl: KubectlProcess): Promise<number> {
  const [, port] = await kubectl.said(/Forwarding from 127\.0\.0\.1:(\d+) -> /)
  return Number(port)
}

/** A port that is in use on both addresses of this machine. */
async function occupied(): Promise<AsyncDisposable & { readonly port: number }> {
  const servers = [createServer(), createServer()]
  let port = 0
  for (const [index, server] of servers.entries()) {
    server.listen({ host: index === 0 ? '127.0.0.1' : '::1', port, ipv6Only: true })
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  return { port, [Symbol.asyncDispose]: async () => servers.forEach((server) => void server.close()) }
}

function forwarding(program: KubectlProgram): Readonly<Record<string, NodeTest>> {
  return {
    [`port-forward (${program}): each connection goes to the port of the pod, on both addresses`]: async (harness) => {
      await harness.run('p', { containers: [server('c', 8080, { ports: [{ name: 'web', containerPort: 8080 }] })] })
      await harness.ready('p')
      const kubectl = kubectls.start(program, harness, 'port-forward', 'pod/p', ':web')
      const port = await forwarded(kubectl)
      await kubectl.said(new RegExp(`Forwarding from \\[::1\\]:${port} -> 8080`))
      assert.match(await asked(port, question), /^HTTP\/1\.\d 200 OK[\s\S]*\r\n\r\np\n$/)
      assert.match(await asked(port, question, '::1'), /\r\n\r\np\n$/)
      const many = await Promise.all(Array.from({ length: 30 }, () => asked(port, question)))
      assert.ok(many.every((answer) => answer.endsWith('\np\n')))
      assert.equal(kubectl.stdout.split(`Handling connection for ${port}\n`).length, 33)
      assert.deepEqual(await kubectl.interrupted(), { code: 0, stderr: '' })
    },
    [`port-forward (${program}): much goes both ways at once, and this side may end first`]: async (harness) => {
      const echo = 'while :; do nc -l -p 7000 -e cat; done'
      await harness.run('p', { containers: [script('c', `${echo} & ${idle}`)] })
      await harness.ready('p')
      const kubectl = kubectls.start(program, harness, 'port-forward', 'p', ':7000')
      const words = 'all that there is to say '.repeat(100_000)
      const port = await forwarded(kubectl)
      await until(() => harness.exec('p', 'c', 'netstat -ltn').then((sockets) => sockets.includes(':7000')))
      assert.ok((await asked(port, words)) === words)
      assert.deepEqual(await kubectl.interrupted(), { code: 0, stderr: '' })
    },
    [`port-forward (${program}): the port of a service leads where the service does`]: async (harness) => {
      const labels = { app: 'web' }
      await harness.run(
        'p',
        { containers: [server('c', 8080, { ports: [{ name: 'web', containerPort: 8080 }] })] },
        { labels },
      )
      await harness.ready('p')
      const ports = [{ name: 'http', port: 80, targetPort: 'web' }]
      await harness.client
        .resource(Service)
        .in(harness.namespace)
        .create({ metadata: { name: 's' }, spec: { selector: labels, ports } })
      const kubectl = kubectls.start(program, harness, 'port-forward', 'service/s', ':http')
      await kubectl.said(/-> 8080\n/)
      assert.match(await asked(await forwarded(kubectl), question), /\np\n$/)
      assert.deepEqual(await kubectl.interrupted(), { code: 0, stderr: '' })
    },
    [`port-forward (${program}): what is taken here is told, and the rest forwarded`]: async (harness) => {
      await harness.run('p', { containers: [script('c', idle)] })
      await harness.ready('p')
      await using taken = await occupied()
      const kubectl = kubectls.start(program, harness, 'port-forward', 'p', ':81', `${taken.port}:82`)
      await forwarded(kubectl)
      const { code, stderr } = await kubectl.interruptedAfter(/Unable to listen/)
      const words = `unable to create listener: Error listen tcp4 127.0.0.1:${taken.port}: bind: address already in use`
      const others = `unable to create listener: Error listen tcp6 [::1]:${taken.port}: bind: address already in use`
      const failed = `Unable to listen on port ${taken.port}: Listeners failed to create with the following errors: [${words} ${others}]\n`
      assert.deepEqual([code, stderr], [0, failed])
      const alone = await kubectls.start(program, harness, 'port-forward', 'p', `${taken.port}:82`).ended()
      const none = `error: unable to listen on any of the requested ports: [{${taken.port} 82}]\n`
      assert.deepEqual(alone, { code: 1, stderr: `${failed}${none}` })
      const any = kubectls.start(program, harness, 'port-forward', 'p', `${taken.port}:82`, '--address=127.0.0.2')
      await any.said(new RegExp(`Forwarding from 127\\.0\\.0\\.2:${taken.port} -> 82\n`))
      assert.deepEqual(await any.interrupted(), { code: 0, stderr: '' })
    },
    [`port-forward (${program}): a port on which nobody listens ends it`]: async (harness) => {
      await harness.run('p', { containers: [script('c', idle)] })
      await harness.ready('p')
      const kubectl = kubectls.start(program, harness, 'port-forward', 'p', ':81')
      // kubectl ends with the request unread, so the connection may end with a reset.
      const answer = asked(await forwarded(kubectl), question).catch((error: NodeJS.ErrnoException) => error.code)
      assert.match((await answer) ?? '', /^(ECONNRESET)?$/)
      const { code, stderr } = await kubectl.ended()
      assert.equal(code, 1)
      assert.match(stderr, /^E\d{4} .*[Aa]n error occurred forwarding.*connection refused/)
      assert.match(stderr, /error: lost connection to pod\n$/)
    },
  }
}

/** Ours alone: others only learn of it when somebody connects. */
const ending: Readonly<Record<string, NodeTest>> = {
  'port-forward ends with its pod': async (harness) => {
    await harness.run('p', { containers: [script('c', idle)] })
    await harness.ready('p')
    const kubectl = kubectls.start('ours', harness, 'port-forward', 'p', ':81')
    await forwarded(kubectl)
    await harness.pods.delete('p')
    assert.deepEqual(await kubectl.ended(), { code: 1, stderr: 'error: lost connection to pod\n' })
  },
}

/** Ports of containers, as somebody opens them with the original and with ours. */
await nodeSuite('forwarding ports', { ...Object.assign({}, ...kubectlPrograms().map(forwarding)), ...ending })
