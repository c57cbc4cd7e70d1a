import { describe, expect, it } from 'vitest'
import { defineEntity } from '#schemas/entity.ts'
import { boolean, enumeration, integer, reference, string, time } from '#schemas/field/field.ts'
import { columnsOf, defaultColumns, filterFields, quickFilters } from './list-field.ts'
import {
  changed,
  isReversed,
  listFilterParams,
  listParams,
  nextSort,
  parseRange,
  parseViews,
  readListState,
  removeView,
  renameView,
  saveView,
  timesOf,
  writeListState,
} from './list-state.ts'

const entity = defineEntity({
  name: 'thing',
  type: 'Thing',
  parent: 'level',
  icon: 'Box',
  fields: {
    name: string(),
    colour: enumeration(['red', 'blue']),
    parts: integer(),
    made: time(),
    enabled: boolean(),
    owner: reference('user'),
    key: string({ secret: true }),
  },
  unique: [],
  title: 'name',
  list: { columns: [{ field: 'name' }, { field: 'colour' }], search: ['name'] },
  form: [],
  actions: {},
  confirm: false,
})
const read = (search: string) => readListState(new URLSearchParams(search), entity)
const write = (state: ReturnType<typeof read>, before = '') =>
  writeListState(state, new URLSearchParams(before), entity).toString()

describe('the state of a list', () => {
  it('comes back from its address as it was', () => {
    const state = {
      ...read(''),
      search: 'ação',
      sort: '-name',
      page: 3,
      size: 50,
      filter: { colour: 'red' },
      columns: ['name'],
    }
    expect(read(write(state))).toEqual(state)
  })

  it('keeps the address empty while nothing was chosen, and keeps what is not its own', () => {
    expect(write(read('page=1&size=25'))).toBe('')
    expect(write(read('sort=name'), 'pid=b1')).toBe('pid=b1&sort=name')
  })

  it('falls back where the address is nonsense', () => {
    expect(read('page=-2&size=7&view=x&sort=nothing')).toEqual(read(''))
  })

  it('begins at the first page again after any change but of the page', () => {
    expect(changed(read('page=4'), { search: 'a' }).page).toBe(1)
    expect(changed(read('page=4'), { page: 5 }).page).toBe(5)
  })

  it('sorts ascending, descending, then newest first', () => {
    expect([nextSort('', 'name'), nextSort('name', 'name'), nextSort('-name', 'name')]).toEqual(['name', '-name', ''])
  })

  it('asks for removed things only when they are wanted', () => {
    expect(listParams(entity, read(''), { bot: 'b1' })).not.toHaveProperty('removed')
    expect(listParams(entity, read('removed=true'), {})).toHaveProperty('removed', 'true')
  })

  it('filters by each declared field by its kind, and by no secret', () => {
    expect(filterFields(entity)).toEqual(['colour', 'parts', 'made', 'enabled', 'owner', 'created_at', 'modified_at'])
    expect(quickFilters(entity)).toEqual(['colour'])
    const address = 'colour=red&parts=1..5&made=2026-11-01..&enabled=true&owner=u1'
    expect(write(read(address))).toBe(address)
  })

  it('drops a filter whose value the field cannot have', () => {
    expect(read('colour=green&parts=5&made=soon..&enabled=maybe').filter).toEqual({})
  })

  it('asks the API for whole days of the time zone that the console shows', () => {
    expect(listFilterParams(entity, read('made=2026-11-01..2026-11-02&search=a'), { bot: 'b1' })).toEqual({
      made: '2026-11-01T03:00:00.000Z..2026-11-03T02:59:59.999Z',
      bot: 'b1',
      search: 'a',
    })
  })

  it('keeps chosen columns in their order, without unknown ones, and always with the title', () => {
    expect(read('columns=parts,name,nothing,parts').columns).toEqual(['parts', 'name'])
    expect(read('columns=parts').columns).toEqual(['name', 'parts'])
    expect(columnsOf(entity).map(({ field }) => field)).not.toContain('key')
  })

  it('names no columns while they are those of the declaration', () => {
    expect(read(`columns=${defaultColumns(entity).join(',')}`).columns).toEqual([])
  })

  it('stays on its page when the columns or the view change', () => {
    expect(changed(read('page=4'), { columns: ['name'] }).page).toBe(4)
    expect(changed(read('page=4'), { view: 'cards' }).page).toBe(4)
  })
})

const MINE = { id: '1', name: 'Mine', query: 'sort=name' }
const OURS = { id: '2', name: 'Ours', query: 'view=cards' }
const SAVED = { views: [MINE, OURS], defaultId: '1' }

describe('saved views', () => {
  it('come back as they were stored', () => {
    expect(parseViews(JSON.stringify(SAVED))).toEqual(SAVED)
  })

  it('are none when what is stored is damaged', () => {
    for (const text of [null, '', '{', 'null', '[]', '{"views":3}'])
      expect(parseViews(text)).toEqual({ views: [], defaultId: null })
    expect(parseViews(JSON.stringify({ views: [MINE, { id: 3 }], defaultId: '3' }))).toEqual({
      views: [MINE],
      defaultId: null,
    })
  })

  it('take a new state under a name that exists', () => {
    expect(saveView(SAVED, { id: '9', name: 'Mine', query: 'size=50' }).views).toEqual([
      { ...MINE, query: 'size=50' },
      OURS,
    ])
  })

  it('are renamed and removed, the default among them', () => {
    expect(renameView(SAVED, '2', 'Theirs').views[1]?.name).toBe('Theirs')
    expect(removeView(SAVED, '1')).toEqual({ views: [OURS], defaultId: null })
    expect(removeView(SAVED, '2')).toEqual({ views: [MINE], defaultId: '1' })
  })
})

describe('a range', () => {
  it('has two ends of which one may be open', () => {
    expect(parseRange('number', '1..5')).toEqual({ from: '1', to: '5' })
    expect(parseRange('number', '-2.5..')).toEqual({ from: '-2.5', to: '' })
    expect(parseRange('time', '..2026-02-28')).toEqual({ from: '', to: '2026-02-28' })
  })

  it('is refused when an end is missing, no number or no day', () => {
    for (const text of ['', '5', '..', '1..2..3', 'a..b', '1..x']) expect(parseRange('number', text)).toBeUndefined()
    for (const text of ['2026-13-01..', '2026-1-1..', 'soon..']) expect(parseRange('time', text)).toBeUndefined()
  })

  it('compares numbers as numbers and days as days', () => {
    expect(isReversed('number', { from: '9', to: '10' })).toBe(false)
    expect(isReversed('number', { from: '10', to: '9' })).toBe(true)
    expect(isReversed('time', { from: '2026-11-02', to: '2026-11-01' })).toBe(true)
    expect(isReversed('time', { from: '2026-11-02', to: '' })).toBe(false)
  })

  it('becomes times from the first to the last millisecond of its days, in the zone that the console shows', () => {
    expect(timesOf('2026-11-19..2026-11-19')).toBe('2026-11-19T03:00:00.000Z..2026-11-20T02:59:59.999Z')
    expect(timesOf('2018-12-24..')).toBe('2018-12-24T02:00:00.000Z..')
  })
})
