import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { CertificateSigningRequest } from '../../api/certificates/v1/certificate-signing-request.js'
import { ClusterRoleBinding } from '../../api/rbac/v1/cluster-role-binding.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster, type TestCluster } from '../../testing/cluster.js'
import { withControllers } from '../../testing/controllers/interrupted-controllers.js'
import { askFor } from './requests.test.kit.js'

const controllers = [
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-cleaner-controller',
]
const apiGroup = 'rbac.authorization.k8s.io'

async function letAdministratorsJoin({ client }: TestCluster): Promise<void> {
  const name = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'
  const subjects = [{ apiGroup, kind: 'User', name: 'admin' }]
  const roleRef = { apiGroup, kind: 'ClusterRole', name }
  await client.resource(ClusterRoleBinding).create({ metadata: { name: 'join' }, roleRef, subjects })
}

test('a node is given one certificate, after whichever write the loops are killed', async () => {
  const clock = new VirtualClock()
  const surroundings = environment({ clock, random: seededRandom(1) })
  await using cluster = await startTestCluster({ controllers: [], environment: surroundings })
  const options = { credentials: { signing: cluster.keys.signing } }
  await letAdministratorsJoin(cluster)
  const requests = cluster.client.resource(CertificateSigningRequest)
  // Two reviews, an approval and a certificate: what is written in the end is the same.
  for (let writes = 0; writes <= 5; writes++) {
    const signerName = 'kubernetes.io/kube-apiserver-client-kubelet'
    const usages = ['digital signature', 'client auth']
    const wanted = { commonName: 'system:node:one', organizations: ['system:nodes'] }
    await askFor(cluster, `join-${writes}`, wanted, { signerName, usages })
    await withControllers(cluster, { controllers, options, writes }, () => clock.advance('10s'))
    const early = (await requests.get(`join-${writes}`)).status.certificate
    await withControllers(cluster, { controllers, options }, () => clock.advance('10s'))
    const { status } = await requests.get(`join-${writes}`)
    assert.deepEqual(
      (status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`),
      ['Approved AutoApproved'],
    )
    assert.match(new X509Certificate(Buffer.from(status.certificate!, 'base64')).subject, /CN=system:node:one/)
    if (early !== undefined) assert.equal(status.certificate, early)
  }
  await withControllers(cluster, { controllers, options, writes: 3 }, () => clock.advance('2h'))
  assert.equal((await requests.list()).items.length, 3)
  await withControllers(cluster, { controllers, options }, () => clock.advance('1s'))
  assert.equal((await requests.list()).items.length, 0)
})
