import { getSchema } from '@tiptap/core'
import { EditorState, Plugin } from '@tiptap/pm/state'
import { StarterKit } from '@tiptap/starter-kit'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { expect, it } from 'vitest'
import { keepMarks, VariableAtom, variableAt } from './variable-atom.ts'

const schema = getSchema([StarterKit, VariableAtom])
const begun = () => EditorState.create({ schema, plugins: [new Plugin({ appendTransaction: keepMarks })] })
const bold = schema.mark('bold')

const holding = (attrs: object) => schema.node('paragraph', null, [schema.text('Oi '), schema.node('variable', attrs)])
const atomOf = ({ doc }: EditorState) => {
  const atom = doc.firstChild?.lastChild
  return { said: atom?.attrs.bold, marks: atom?.marks.map(({ type }) => type.name) }
}

it('a variable that comes with its marks bears them, and bears none once they are taken off there', () => {
  const coming = (state: EditorState, attrs: object) =>
    state.apply(
      state.tr.replaceWith(0, state.doc.content.size, holding(attrs)).setMeta(ySyncPluginKey, { isChangeOrigin: true }),
    )

  const shown = coming(begun(), { name: 'nome', bold: 'true' })
  const taken = coming(shown, { name: 'nome' })

  expect(atomOf(shown)).toEqual({ said: 'true', marks: ['bold'] })
  expect(atomOf(taken)).toEqual({ said: null, marks: [] })
})

it('a variable in words that are made bold here says so for all, and no longer once they are not', () => {
  const state = begun()
  const written = state.apply(state.tr.replaceWith(0, state.doc.content.size, holding({ name: 'nome' })))

  const made = written.apply(written.tr.addMark(1, written.doc.content.size - 1, bold))
  const unmade = made.apply(made.tr.removeMark(1, made.doc.content.size - 1, bold))

  expect(atomOf(made)).toEqual({ said: 'true', marks: ['bold'] })
  expect(atomOf(unmade)).toEqual({ said: null, marks: [] })
})

it('a variable that goes in among bold words is bold', () => {
  const state = begun()
  const words = schema.node('paragraph', null, [schema.text('forte', [bold])])
  const written = state.apply(state.tr.replaceWith(0, state.doc.content.size, words))

  expect(variableAt(written, 'nome')?.marks).toEqual([bold])
})
