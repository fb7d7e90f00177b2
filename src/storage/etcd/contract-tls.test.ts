import { etcdContract } from '../../testing/storage/etcd-contract.js'

await etcdContract('a member of etcd that wants TLS and client certificates', { tls: true }, 3)
