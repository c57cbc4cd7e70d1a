import { expect, test } from 'vitest'
import { ELEMENTS, memberText, memberValue, newElement, takenIds, withMember } from './adaptive-element.ts'

const kindOf = (type: string) => {
  const kind = ELEMENTS.find(each => each.type === type)
  if (kind === undefined) throw new Error(type)
  return kind
}

test('a new column set has two columns that take elements, a container takes them too', () => {
  const set = newElement(kindOf('ColumnSet'), new Set())

  expect(set).toEqual({
    type: 'ColumnSet',
    columns: [
      { type: 'Column', width: 'stretch', items: [] },
      { type: 'Column', width: 'stretch', items: [] },
    ],
  })
  const [column] = kindOf('ColumnSet').holds?.kinds() ?? []
  expect(column?.holds?.kinds()).toBe(ELEMENTS)
  expect(newElement(kindOf('Container'), new Set())).toEqual({ type: 'Container', items: [] })
})

test('an input gets a name that no other has, however deep that one lies', () => {
  const body = [{ type: 'ColumnSet', columns: [{ type: 'Column', items: [{ type: 'Input.Text', id: 'text1' }] }] }]

  expect(newElement(kindOf('Input.Text'), takenIds(body))).toMatchObject({ id: 'text2', placeholder: '' })
})

test('a choice that is none is left out, and a width in numbers is shown as it is', () => {
  expect(withMember({ type: 'Container', style: 'good' }, 'style', ['good'], '')).toEqual({ type: 'Container' })
  expect(withMember({ type: 'Image', url: 'a' }, 'url', 'line', '')).toEqual({ type: 'Image', url: '' })
  expect(memberText(['auto'], 2)).toBe('2')
  expect(memberValue(['auto'], 'auto', 2)).toBe('auto')
})
