/** The namespaces of a new cluster. */
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
