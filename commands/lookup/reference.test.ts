import { afterAll, describe, expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { usergroup } from '#schemas/entities/usergroup.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { pausedStore } from '../fixture/memory-store.ts'
import { caller, openWorkbench } from '../fixture/workbench.ts'
import { createLoader } from '../pipeline/load.ts'
import type { Command } from '../port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

const CONFIRM = { confirm: 'CONFIRM' }
/** Reads and appends of the longest of these commands. */
const STEPS = 20

const stateOf = async (entity: EntityDeclaration, id: string) =>
  (await createLoader(bench.store).load(entity, id)).state
const fieldOf = async (entity: EntityDeclaration, id: string, field: string) => {
  const state = await stateOf(entity, id)
  return state.status === 'live' || state.status === 'removed' ? state.fields[field] : undefined
}

/** Pauses one command before its nth step, runs the other, then resumes the first. */
const interleaved = async (late: Command, nth: number, other: Command) => {
  const { store, reached, release } = pausedStore(bench.store, nth, 'any')
  const waiting = bench.again({ store }).execute(late)
  const isStanding = await Promise.race([reached.then(() => true), waiting.then(() => false)])
  const done = await bench.again().execute(other)
  release()
  return { isStanding, late: await waiting, done }
}

const command = (entity: string, action: string, id: string, input: Command['input']): Command => ({
  entity,
  action,
  id,
  input,
  caller: caller(),
  correlation: 'test',
})

const roleAndGroup = async () => {
  const role = await bench.must('role', 'create', '', { name: crypto.randomUUID(), actions: [], services: [] })
  const group = await bench.must('usergroup', 'create', '', { name: crypto.randomUUID() })
  const remove = command('role', 'remove', role.id, CONFIRM)
  const set = command('usergroup', 'change', group.id, { roles: [role.id] })
  const dangles = async () =>
    (await stateOf(ENTITIES.role, role.id)).status === 'removed' &&
    JSON.stringify(await fieldOf(usergroup, group.id, 'roles')).includes(role.id)
  return { role: role.id, group: group.id, remove, set, dangles }
}

describe('a reference and the removal of its target at the same moment', () => {
  test('clears a reference whose target was removed before it was appended, and says so', async () => {
    const { role, group, remove, set } = await roleAndGroup()
    const { store, reached, release } = pausedStore(bench.store, 1)
    const setting = bench.again({ store }).execute(set)
    await reached
    expect((await bench.again().execute(remove)).ok).toBe(true)
    release()
    expect(await setting).toMatchObject({ ok: true, revision: 3, result: { cleared: [{ path: 'roles', id: role }] } })
    expect(await fieldOf(usergroup, group, 'roles')).toEqual([])
  })

  test('undoes a removal when a reference was appended before it', async () => {
    const { role, group, remove, set } = await roleAndGroup()
    const { store, reached, release } = pausedStore(bench.store, 1)
    const removing = bench.again({ store }).execute(remove)
    await reached
    expect((await bench.again().execute(set)).ok).toBe(true)
    release()
    expect(await removing).toMatchObject({ ok: false, refusal: { code: 'entity.used' } })
    expect((await stateOf(ENTITIES.role, role)).status).toBe('live')
    expect(await fieldOf(usergroup, group, 'roles')).toEqual([role])
  })

  test('leaves no dangling reference when either command pauses at any step', async () => {
    for (const isRemovalLate of [true, false]) {
      for (let nth = 1; nth <= STEPS; nth += 1) {
        const { remove, set, dangles } = await roleAndGroup()
        const [late, other] = isRemovalLate ? [remove, set] : [set, remove]
        const { isStanding } = await interleaved(late, nth, other)
        expect(await dangles(), `${late.action} at step ${nth}`).toBe(false)
        if (!isStanding) break
      }
    }
  })

  test('leaves no dangling reference when the target is removed with its contents', async () => {
    const bot = (await bench.must('bot', 'create', '', { name: 'Bot' })).id
    for (const isRemovalLate of [true, false]) {
      for (let nth = 1; nth <= 2 * STEPS; nth += 1) {
        const task = (await bench.must('dialogtask', 'create', '', { name: crypto.randomUUID(), bot })).id
        const variable = (await bench.must('variable', 'create', '', { name: `v${nth}${isRemovalLate}`, bot })).id
        const remove = command('dialogtask', 'remove', task, CONFIRM)
        const set = command('variable', 'change', variable, { task })
        const [late, other] = isRemovalLate ? [remove, set] : [set, remove]
        const { isStanding } = await interleaved(late, nth, other)
        const isGone = (await stateOf(ENTITIES.dialogtask, task)).status === 'removed'
        const held = await fieldOf(ENTITIES.variable, variable, 'task')
        expect(isGone && held === task, `${late.action} at step ${nth}`).toBe(false)
        if (!isStanding) break
      }
    }
  })
})

describe('a reference declared to be cleared with its target', () => {
  const roles = { ...usergroup.fields.roles, onTargetRemoved: 'clear' } as const
  const entities = { ...ENTITIES, usergroup: { ...usergroup, fields: { ...usergroup.fields, roles } } }

  test('lets the target be removed and is cleared by the same process', async () => {
    const { role, group, remove, set } = await roleAndGroup()
    const handler = bench.again({ entities })
    expect((await handler.execute(set)).ok).toBe(true)
    expect((await handler.execute(remove)).ok).toBe(true)
    expect(await fieldOf(usergroup, group, 'roles')).toEqual([])
    const [started, ...rest] = await bench.events(`process-${role}`)
    expect(started?.data).toMatchObject({ kind: 'remove', steps: [{ do: 'remove' }, { do: 'clearholders' }] })
    expect(rest.at(-1)?.type).toBe('ProcessFinished')
  })
})
