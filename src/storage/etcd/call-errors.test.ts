import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { callErrorFrom, FailedCallError, RejectedCallError } from './call-errors.js'

test('errors of etcd are rejections with a reason', () => {
  const rejected = {
    'etcdserver: mvcc: required revision has been compacted': [status.OUT_OF_RANGE, 'compacted'],
    'etcdserver: mvcc: required revision is a future revision': [status.OUT_OF_RANGE, 'future'],
    'etcdserver: requested lease not found': [status.NOT_FOUND, 'lease'],
    'etcdserver: mvcc: database space exceeded': [status.RESOURCE_EXHAUSTED, 'space'],
    'etcdserver: request is too large': [status.INVALID_ARGUMENT, 'large'],
    'grpc: received message larger than max (2097200 vs. 2097152)': [status.RESOURCE_EXHAUSTED, 'large'],
    'etcdserver: duplicate key given in txn request': [status.INVALID_ARGUMENT, 'invalid'],
  } as const
  for (const [details, [code, reason]] of Object.entries(rejected)) {
    const failure = callErrorFrom({ code, details })
    assert.ok(failure instanceof RejectedCallError, details)
    assert.equal(failure.reason, reason)
  }
})

test('a write may be sent again only if etcd has certainly not started it', () => {
  const outcomes = {
    'etcdserver: no leader': false,
    'etcdserver: too many requests': false,
    'etcdserver: rpc not supported for learner': false,
    'etcdserver: request timed out': true,
    'etcdserver: request timed out, possibly due to previous leader failure': true,
    'etcdserver: leader changed': true,
    'etcdserver: server stopped': true,
    'Connection dropped': true,
  }
  for (const [details, mayHaveHappened] of Object.entries(outcomes)) {
    const failure = callErrorFrom({ code: status.UNAVAILABLE, details })
    assert.ok(failure instanceof FailedCallError, details)
    assert.equal(failure.mayHaveHappened, mayHaveHappened, details)
  }
})
