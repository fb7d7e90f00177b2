import { recordEvents } from '../definition.js'

/** The account that all controllers of certificate signing requests share. */
export const certificateServiceAccount = {
  serviceAccount: 'certificate-controller',
  rules: [
    'delete get list watch on certificatesigningrequests of certificates.k8s.io',
    'update on certificatesigningrequests/approval certificatesigningrequests/status of certificates.k8s.io',
    'approve on signers of certificates.k8s.io named kubernetes.io/kube-apiserver-client-kubelet',
    'sign on signers of certificates.k8s.io named kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown',
    'create on subjectaccessreviews of authorization.k8s.io',
    recordEvents,
  ],
}
