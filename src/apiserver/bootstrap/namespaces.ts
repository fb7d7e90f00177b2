/** Namespaces that every cluster has from the first moment on. */
export const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(namespaceNamed)

export function namespaceNamed(name: string): object {
  return {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }
}
