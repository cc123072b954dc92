import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantedBy, readGroups } from './groups.ts'

test('a rule gives a plan, a role, or both; a name may have what looks like a sign in it', () => {
  assert.deepEqual(readGroups(' staff=team , admins=admin:unlimited,ops=user,cn=x=gold,'), [
    { group: 'staff', role: null, plan: 'team' },
    { group: 'admins', role: 'admin', plan: 'unlimited' },
    { group: 'ops', role: 'user', plan: null },
    { group: 'cn=x', role: null, plan: 'gold' },
  ])
  for (const wrong of ['staff', '=team', 'staff=', 'a=owner:team', 'a=admin:', 'a=admin:b:c'])
    assert.throws(() => readGroups(wrong), /must be a list/, wrong)
})

test('the first rule that fits counts, for role and plan each', () => {
  const rules = readGroups('admins=admin,staff=team,*=basic')
  assert.deepEqual(grantedBy(rules, ['staff', 'admins']), { isMember: true, role: 'admin', plan: 'team' })
  assert.deepEqual(grantedBy(rules, []), { isMember: true, role: 'user', plan: 'basic' })
})

test('who has left the group has lost the role; where no rule names one, roles are left alone', () => {
  assert.deepEqual(grantedBy(readGroups('admins=admin'), ['staff']), { isMember: false, role: 'user', plan: null })
  assert.deepEqual(grantedBy(readGroups('staff=team'), ['staff']), { isMember: true, role: null, plan: 'team' })
  assert.deepEqual(grantedBy([], ['staff']), { isMember: false, role: null, plan: null })
})
