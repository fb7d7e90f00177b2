import type { GroupDeclaration } from '../schema/groups.js'

/** The API groups in the order of discovery. Their served versions follow from the kinds. */
export const groups: readonly GroupDeclaration[] = [
  group('core', { name: '' }),
  group('apiregistration', {
    name: 'apiregistration.k8s.io',
    legacy: ['v1beta1'],
    openapi: 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  }),
  group('apps', { legacy: ['v1beta1', 'v1beta2'] }),
  group('events', { name: 'events.k8s.io', legacy: ['v1beta1'] }),
  group('authentication', { name: 'authentication.k8s.io', legacy: ['v1alpha1', 'v1beta1'] }),
  group('authorization', { name: 'authorization.k8s.io', legacy: ['v1beta1'] }),
  group('autoscaling'),
  group('batch', { legacy: ['v1beta1'] }),
  group('certificates', { name: 'certificates.k8s.io' }),
  group('networking', { name: 'networking.k8s.io' }),
  group('policy', { legacy: ['v1beta1'] }),
  group('rbac', { name: 'rbac.authorization.k8s.io', legacy: ['v1alpha1', 'v1beta1'] }),
  group('storage', { name: 'storage.k8s.io', legacy: ['v1alpha1'] }),
  group('admissionregistration', { name: 'admissionregistration.k8s.io' }),
  group('apiextensions', {
    name: 'apiextensions.k8s.io',
    legacy: ['v1beta1'],
    openapi: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  }),
  group('scheduling', { name: 'scheduling.k8s.io', legacy: ['v1beta1'] }),
  group('coordination', { name: 'coordination.k8s.io' }),
  group('node', { name: 'node.k8s.io', legacy: ['v1alpha1', 'v1beta1'] }),
  group('discovery', { name: 'discovery.k8s.io', legacy: ['v1beta1'] }),
  group('resource', { name: 'resource.k8s.io' }),
  group('flowcontrol', {
    name: 'flowcontrol.apiserver.k8s.io',
    legacy: ['v1beta1', 'v1beta2', 'v1beta3'],
  }),
  group('apiserverinternal', { name: 'internal.apiserver.k8s.io' }),
  group('storagemigration', { name: 'storagemigration.k8s.io' }),
  group('admission', { name: 'admission.k8s.io', legacy: ['v1', 'v1beta1'] }),
  group('extensions', { legacy: ['v1beta1'] }),
  group('imagepolicy', { name: 'imagepolicy.k8s.io', legacy: ['v1alpha1'] }),
  group('meta', { name: '', openapi: 'io.k8s.apimachinery.pkg.apis.meta' }),
  group('version', { name: '', openapi: 'io.k8s.apimachinery.pkg.version' }),
]

function group(short: string, more: Partial<Omit<GroupDeclaration, 'short'>> = {}): GroupDeclaration {
  return { short, name: short, legacy: [], openapi: `io.k8s.api.${short}`, ...more }
}
