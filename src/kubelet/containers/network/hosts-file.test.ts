import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nodeHostsFile, podHostsFile } from './hosts-file.js'

const head = [
  '# Kubernetes-managed hosts file.',
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
]

describe('the hosts file of a pod', () => {
  test('has every address of the pod, then the aliases', () => {
    const aliases = [{ ip: '1.2.3.4', hostnames: ['a.example', 'b.example'] }, { ip: '1.2.3.5' }]
    const text = podHostsFile(['10.1.0.5', 'fd00::5'], { name: 'me', domain: 'sub.shop.svc.cluster.local' }, aliases)
    assert.deepEqual(text.split('\n'), [
      ...head,
      '10.1.0.5\tme.sub.shop.svc.cluster.local\tme',
      'fd00::5\tme.sub.shop.svc.cluster.local\tme',
      '',
      '# Entries added by HostAliases.',
      '1.2.3.4\ta.example\tb.example',
      '1.2.3.5\t',
      '',
    ])
  })

  test('has only the name without a subdomain', () => {
    assert.deepEqual(podHostsFile(['10.1.0.5'], { name: 'me', domain: '' }).split('\n'), [...head, '10.1.0.5\tme', ''])
  })

  test("has the host's entries and the aliases on the host network", () => {
    const aliases = [{ ip: '1.2.3.4', hostnames: ['a'] }]
    const ofNode = '127.0.0.1 localhost\n'
    assert.equal(nodeHostsFile(ofNode), `# Kubernetes-managed hosts file (host network).\n${ofNode}`)
    assert.equal(
      nodeHostsFile(ofNode, aliases),
      `# Kubernetes-managed hosts file (host network).\n${ofNode}\n# Entries added by HostAliases.\n1.2.3.4\ta\n`,
    )
  })
})
