import { Button, chakra } from '@chakra-ui/react'
import { Extension } from '@tiptap/core'
import { Collaboration } from '@tiptap/extension-collaboration'
import { EditorContent, type Editor as Tiptap, useEditor, useEditorState } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { yCursorPlugin, ySyncPluginKey } from '@tiptap/y-tiptap'
import { Bold, Braces, Italic } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { personColor } from '#domain/color.ts'
import { openText, simplifyText } from '#domain/flow/document/edit.ts'
import type { FieldPath } from '#domain/flow/document/location.ts'
import { isKnownRich } from '#domain/flow/document/rich-fragment.ts'
import { RICH_MARKUP } from '#schemas/flow/file.ts'
import { jsonEqual } from '#schemas/json.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { isTyping } from '../commands/clipboard.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import { colorOf } from '../session/presence/avatars.tsx'
import type { Presence } from '../session/room/presence.ts'
import { FieldLabel } from './field-group.tsx'
import { VariableAtom, variableAt } from './variable-atom.ts'
import { VariableCompletion } from './variable-completion.tsx'

interface Who {
  readonly name: string
  readonly person: string
}

const whoOf = (state: Readonly<Record<string, unknown>>): Who => {
  const user = (state.user ?? {}) as { id?: unknown; name?: unknown; color?: unknown }
  const color =
    typeof user.color === 'string' && /^[1-8]$/u.test(user.color) ? user.color : personColor(String(user.id))
  return { name: String(user.name ?? ''), person: color }
}

type Listener = (...args: unknown[]) => void

/**
 * Awareness adapter for the caret plugin: carets are in `text`, because `cursor` is the pointer; only caret moves are
 * changes, so pointers do not redraw texts.
 */
const caretAwareness = (awareness: Awareness, presence: Presence) => {
  let own: unknown
  const wrapped = new Map<Listener, () => void>()
  const texts = () => JSON.stringify([...awareness.getStates()].map(([client, state]) => [client, state.text]))
  return {
    clientID: awareness.clientID,
    getStates: () =>
      new Map(
        [...awareness.getStates()].map(([client, state]) => [
          client,
          { user: { ...whoOf(state), color: '#000000' }, cursor: state.text },
        ]),
      ),
    getLocalState: () => ({ cursor: own }),
    setLocalStateField: (_field: string, value: unknown) => {
      own = value ?? undefined
      presence.showText(own === undefined ? undefined : JSON.parse(JSON.stringify(own)))
    },
    on: (event: string, listener: Listener) => {
      let before = texts()
      const changed = () => {
        const now = texts()
        if (now === before) return
        before = now
        listener()
      }
      wrapped.set(listener, changed)
      awareness.on(event as 'change', changed)
    },
    off: (event: string, listener: Listener) => {
      const changed = wrapped.get(listener)
      if (changed !== undefined) awareness.off(event as 'change', changed)
    },
  }
}

const cursor = (user: Who): HTMLElement => {
  const caret = document.createElement('span')
  caret.className = 'pl-caret'
  caret.style.setProperty('--person', colorOf(user.person))
  const flag = document.createElement('b')
  flag.textContent = user.name.split(' ')[0] ?? user.name
  caret.append('\u2060', flag, '\u2060')
  return caret
}

const selection = (user: Who) => ({
  class: 'pl-caret-selection',
  style: `--person: ${colorOf(user.person)}`,
})

/** Others' carets and selections in a text, with their names. */
const carets = (awareness: Awareness, presence: Presence) =>
  Extension.create({
    name: 'carets',
    addProseMirrorPlugins: () => [
      yCursorPlugin(
        caretAwareness(awareness, presence) as unknown as Awareness,
        { cursorBuilder: cursor, selectionBuilder: selection } as unknown as Parameters<typeof yCursorPlugin>[1],
      ),
    ],
  })

/** A rich text that an editor may bind to while `isKnown`. */
interface OpenedText {
  readonly fragment: Y.XmlFragment
  /** Whether it has nothing but what an editor shows; an editor removes what it does not know. */
  readonly isKnown: boolean
  /** Calls when something unknown has come, before an editor that was bound later hears of it; ended by what it returns. */
  readonly atForeign: (leave: () => void) => () => void
}

const watched = (fragment: Y.XmlFragment, told: (opened: OpenedText) => void) => {
  const leaving = new Set<() => void>()
  const atForeign: OpenedText['atForeign'] = leave => {
    leaving.add(leave)
    return () => leaving.delete(leave)
  }
  let isKnown: boolean | undefined
  const look = () => {
    const was = isKnown
    isKnown = isKnownRich(fragment)
    if (!isKnown) for (const leave of leaving) leave()
    if (isKnown !== was) told({ fragment, isKnown, atForeign })
  }
  fragment.observeDeep(look)
  look()
  return () => fragment.unobserveDeep(look)
}

/** The shared text of a rich field, made if it is not there yet; undefined until then, null where something else is. */
const useRichFragment = (block: string, path: FieldPath): OpenedText | null | undefined => {
  const { room, mayEdit, undo } = useDesigner()
  const [opened, setOpened] = useState<OpenedText | null>()
  const key = path.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a path is the same while its names are
  useEffect(() => {
    if (!mayEdit) return
    undo.include(ySyncPluginKey)
    const text = openText(room.doc, block, path, 'open')
    if (text instanceof Y.XmlFragment) return watched(text, setOpened)
    setOpened(null)
  }, [room, mayEdit, undo, block, key])
  return opened
}

const { paragraph, spelled } = RICH_MARKUP

/** Paragraphs keep how their text was spelled, which the document falls back on while nobody changes it. */
const Spelling = Extension.create({
  name: spelled,
  addGlobalAttributes: () => [
    { types: [paragraph], attributes: { [spelled]: { default: null, rendered: false, keepOnSplit: false } } },
  ],
})

const kit = StarterKit.configure({
  blockquote: false,
  bulletList: false,
  code: false,
  codeBlock: false,
  dropcursor: false,
  gapcursor: false,
  heading: false,
  horizontalRule: false,
  link: false,
  listItem: false,
  listKeymap: false,
  orderedList: false,
  strike: false,
  trailingNode: false,
  undoRedo: false,
})

interface RichTextProps {
  readonly block: string
  readonly path: FieldPath
  readonly id: string
  readonly label: string
  /** The label is for screen readers alone. */
  readonly bare: boolean
  /** Text of conversations, not of notes to colleagues: it can contain variables. */
  readonly runs: boolean
  /** The text for reading alone. */
  readonly written: React.ReactNode
}

type EditorProps = Omit<RichTextProps, 'written'> & Pick<OpenedText, 'fragment' | 'atForeign'>

const lengthOf = ({ editor }: { readonly editor: Tiptap | null }) =>
  editor?.getText({ blockSeparator: '\n' }).length ?? 0

const Length = ({ editor }: { readonly editor: Tiptap | null }) => (
  <output>{useEditorState({ editor, selector: lengthOf })}</output>
)

/** A path is the same while its names are. */
const isSame = ({ path: a, ...one }: EditorProps, { path: b, ...other }: EditorProps) =>
  jsonEqual([...a], [...b]) &&
  one.fragment === other.fragment &&
  one.atForeign === other.atForeign &&
  one.block === other.block &&
  one.id === other.id &&
  one.label === other.label &&
  one.bare === other.bare &&
  one.runs === other.runs

/** Takes the focus, and text typed before, if the rich text is requested. */
const useWantedText = (editor: Tiptap | null, block: string, field: string) => {
  const { wanted } = useDesigner()
  const want = useStoreValue(wanted)
  useEffect(() => {
    if (want?.block !== block || want.field !== field) return
    const { activeElement } = document
    // Loaded late: a person types in another field of the form by now.
    if (isTyping(activeElement) && editor?.view.dom.closest('.pl-form')?.contains(activeElement) === true) {
      wanted.set(undefined)
      return
    }
    // The editor's own command focuses a frame later: until then keys would be commands, and a later Escape be undone.
    editor?.commands.setTextSelection(editor.state.doc.content.size)
    editor?.view.focus()
    // More may have been typed for it since this was rendered.
    const typed = (wanted.get() ?? want).typed ?? ''
    if (typed !== '') editor?.commands.insertContent({ type: 'text', text: typed })
    wanted.set(undefined)
  }, [want, wanted, block, field, editor])
}

/** Memoized: typing in it renders nothing else. */
const Editor = memo(({ fragment, atForeign, block, path, id, label, bare, runs }: EditorProps) => {
  const { t } = useTranslation('designer')
  const { room, actions, undo } = useDesigner()
  const names = useNames()
  const editor = useEditor(
    {
      extensions: [
        kit,
        Spelling,
        VariableAtom,
        Collaboration.extend({
          addKeyboardShortcuts: () => ({
            'Mod-z': () => actions.undo().done || true,
            'Mod-y': () => actions.redo().done || true,
            'Shift-Mod-z': () => actions.redo().done || true,
          }),
        }).configure({ fragment }),
        carets(room.provider.awareness, room.presence),
      ],
      editorProps: {
        attributes: {
          ...{ class: 'pl-rich', role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
          'data-rich': path.join('.'),
        },
      },
      onBlur: () => undo.stop(),
      shouldRerenderOnTransaction: false,
    },
    [fragment],
  )
  useEffect(() => {
    if (editor !== null) return atForeign(() => editor.destroy())
  }, [editor, atForeign])
  useWantedText(editor, block, path.join('.'))
  const insert = (name: string) =>
    editor
      ?.chain()
      .focus()
      .insertContent(variableAt(editor.state, name) ?? '')
      .run()
  const tool = (name: string, Icon: typeof Bold, run: () => void) => (
    <button type="button" className="pl-rich-tool" aria-label={name} title={name} onClick={run}>
      <Icon size={14} aria-hidden />
    </button>
  )
  return (
    <>
      <span className="pl-label-row">
        <FieldLabel id={id} label={label} bare={bare} />
        <span className="pl-rich-tools">
          {tool(t('inspector.bold'), Bold, () => editor?.chain().focus().toggleBold().run())}
          {tool(t('inspector.italic'), Italic, () => editor?.chain().focus().toggleItalic().run())}
          {/* Notes between people contain no variables. */}
          {runs ? (
            <ActionMenu
              label={t('inspector.variable')}
              actions={(names.variables ?? []).map(({ id, name }) => ({ id, label: name, run: () => insert(name) }))}
            >
              <button type="button" className="pl-rich-tool" aria-label={t('inspector.variable')}>
                <Braces size={14} aria-hidden />
              </button>
            </ActionMenu>
          ) : null}
        </span>
      </span>
      <chakra.div position="relative">
        <EditorContent editor={editor} />
        <VariableCompletion editor={editor} />
      </chakra.div>
      <span className="pl-hint-row">
        <span>{runs ? t('inspector.variableHint', { braces: '{{ }}' }) : null}</span>
        <Length editor={editor} />
      </span>
    </>
  )
}, isSame)

/** A text to be read alone, why, and what can be done about it. */
const Unopened = ({
  written,
  why,
  children,
  ...labelled
}: RichTextProps & { why: string; children?: React.ReactNode }) => (
  <>
    <span className="pl-label-row">
      <FieldLabel {...labelled} />
    </span>
    {written}
    <chakra.p role="status" fontSize="xs" color="warning.fg" mt="1">
      {why}
    </chakra.p>
    {children}
  </>
)

/** A text that another program drew with more than the editor shows, which would leave that out of it. */
const Foreign = ({ fragment, ...props }: RichTextProps & Pick<OpenedText, 'fragment'>) => {
  const { t } = useTranslation('designer')
  const { room } = useDesigner()
  return (
    <Unopened {...props} why={t('inspector.foreignText')}>
      <Button size="xs" variant="outline" mt="1" onClick={() => simplifyText(room.doc, fragment, ySyncPluginKey)}>
        {t('inspector.simplify')}
      </Button>
    </Unopened>
  )
}

/** A rich text that several people type in at once, each with their caret. */
export const RichText = (props: RichTextProps) => {
  const { t } = useTranslation('designer')
  const opened = useRichFragment(props.block, props.path)
  if (opened === undefined)
    return (
      <>
        <span className="pl-label-row">
          <FieldLabel {...props} />
        </span>
        <span data-pending />
      </>
    )
  const { written: _written, ...editor } = props
  if (opened === null) return <Unopened {...props} why={t('inspector.unreadable')} />
  const { fragment, isKnown, atForeign } = opened
  if (!isKnown) return <Foreign {...props} fragment={fragment} />
  return <Editor {...editor} fragment={fragment} atForeign={atForeign} />
}
