import { etcdContract } from '../../testing/etcd-contract.js'

await etcdContract('a single member of etcd', {}, 12)
