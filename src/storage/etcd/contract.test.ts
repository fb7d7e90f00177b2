import { etcdContract } from '../../testing/storage/etcd-contract.js'

await etcdContract('a single member of etcd', {}, 12)
