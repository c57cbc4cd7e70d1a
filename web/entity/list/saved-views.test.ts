import { describe, expect, it } from 'vitest'
import { parseViews, removeView, renameView, saveView } from './saved-views.ts'

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
