import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterNames, freePodRange, routedAddresses } from './cluster-names.js'

const place = clusterNames('/somewhere/a')

test('pods get a range that no other network of the machine uses', () => {
  assert.equal(freePodRange(place, []), '10.244.0.0/16')
  assert.equal(freePodRange(place, [{ device: 'eth0', address: '10.244.0.1' }]), '10.243.0.0/16')
  assert.equal(freePodRange(place, [{ device: place.bridge, address: '10.244.0.1' }]), '10.244.0.0/16', 'its own')
  const everything = Array.from({ length: 256 }, (_, second) => ({ device: 'eth0', address: `10.${second}.0.0` }))
  assert.throws(() => freePodRange(place, everything), /choose another range with --cluster-cidr/)
})

test('a network counts as used while its bridge is down, as that of a cluster without pods', () => {
  const table = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010200C0	0003	0	0	0	00000000	0	0	0
proa-a5a196bb	0000F40A	00000000	0001	0	0	0	00FFFFFF	0	0	0
`
  const routed = routedAddresses(table)
  assert.deepEqual(routed, [
    { device: 'eth0', address: '0.0.0.0' },
    { device: 'proa-a5a196bb', address: '10.244.0.0' },
  ])
  assert.equal(freePodRange(place, routed), '10.243.0.0/16')
})
