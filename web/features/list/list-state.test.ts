import { describe, expect, it } from 'vitest'
import { defineEntity } from '#schemas/entity.ts'
import { enumeration, string } from '#schemas/field.ts'
import { changed, listParams, nextSort, readListState, writeListState } from './list-state.ts'

const entity = defineEntity({
  name: 'thing',
  type: 'Thing',
  parent: 'level',
  icon: 'Box',
  fields: { name: string(), colour: enumeration(['red', 'blue']) },
  unique: [],
  title: 'name',
  list: { columns: [{ field: 'name' }, { field: 'colour' }], search: ['name'] },
  form: [],
  actions: [],
  confirm: false,
})
const read = (search: string) => readListState(new URLSearchParams(search), entity)
const write = (state: ReturnType<typeof read>, before = '') =>
  writeListState(state, new URLSearchParams(before), entity).toString()

describe('the state of a list', () => {
  it('comes back from its address as it was', () => {
    const state = { ...read(''), search: 'ação', sort: '-name', page: 3, size: 50, filter: { colour: 'red' } }
    expect(read(write(state))).toEqual(state)
  })

  it('keeps the address empty while nothing was chosen, and keeps what is not its own', () => {
    expect(write(read('page=1&size=25'))).toBe('')
    expect(write(read('sort=name'), 'pid=b1')).toBe('pid=b1&sort=name')
  })

  it('falls back where the address is nonsense', () => {
    expect(read('page=-2&size=7&view=x')).toEqual(read(''))
  })

  it('begins at the first page again after any change but of the page', () => {
    expect(changed(read('page=4'), { search: 'a' }).page).toBe(1)
    expect(changed(read('page=4'), { page: 5 }).page).toBe(5)
  })

  it('sorts ascending, descending, then newest first', () => {
    expect([nextSort('', 'name'), nextSort('name', 'name'), nextSort('-name', 'name')]).toEqual(['name', '-name', ''])
  })

  it('asks for removed things only when they are wanted', () => {
    expect(listParams(read(''), { bot: 'b1' })).not.toHaveProperty('removed')
    expect(listParams(read('removed=true'), {})).toHaveProperty('removed', true)
  })
})
