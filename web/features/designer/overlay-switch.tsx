import i18next from 'i18next'
import { type RefObject, useEffect, useRef } from 'react'
import { LateKeySheet } from '#web/help/help-host.tsx'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { focusBlockIfLost } from './canvas/focus-block.ts'
import { BlockSearch } from './chrome/block-search.tsx'
import { FindBar } from './chrome/find-bar.tsx'
import { LintSheet } from './chrome/lint-sheet.tsx'
import { Outline } from './chrome/outline.tsx'
import { Tracker } from './chrome/tracker.tsx'
import { type AddRequest, useCommands } from './commands/commands.ts'
import { useMode } from './mode/mode-context.ts'
import { DraftLinkDialog } from './publish/draft-link-dialog.tsx'
import { MissingStepsSheet, PublishFlow } from './publish/publish-flow.tsx'
import { UnloadedPart } from './search/failed-part.tsx'
import { SearchSheet } from './search/search-sheet.tsx'
import { useDesigner } from './session/designer.ts'

const commentSheet = lazyModule(async () => {
  const [{ CommentSheet }] = await Promise.all([
    import('./comment/comment-sheet.tsx'),
    i18next.loadNamespaces('comment'),
  ])
  return CommentSheet
})

/** The panel of comments, as soon as it is there with its texts. */
const LateComments = () => {
  const { value: Sheet } = useLazyModule(commentSheet)
  return Sheet === undefined ? null : <Sheet />
}

const usesSheet = lazyModule(async () => (await import('./chrome/uses-sheet.tsx')).UsesSheet)

/** The sheet of uses, fetched when it is first opened. */
const LateUses = () => {
  const { value: UsesSheet, error } = useLazyModule(usesSheet)
  if (UsesSheet !== undefined) return <UsesSheet />
  if (error === undefined) return null
  return (
    <section className="pl-sheet">
      <UnloadedPart />
    </section>
  )
}

/** The one thing that lies over the canvas. */
export const OverlaySwitch = ({ request }: { readonly request: RefObject<AddRequest> }) => {
  const { sheet, send } = useMode()
  const commands = useCommands()
  const { canvas } = useDesigner()
  const close = () => send({ type: 'CLOSE' })
  const before = useRef(sheet)
  useEffect(() => {
    if (sheet === 'none' && before.current !== 'none') focusBlockIfLost(canvas.focus.get())
    before.current = sheet
  }, [sheet, canvas])
  switch (sheet) {
    case 'lint':
      return <LintSheet />
    case 'find':
      return <FindBar />
    case 'keys':
      return <LateKeySheet onClose={close} />
    case 'outline':
      return <Outline />
    case 'track':
      return <Tracker />
    case 'comments':
      return <LateComments />
    case 'search':
      return <SearchSheet />
    case 'uses':
      return <LateUses />
    case 'publish':
      return <PublishFlow onClose={close} />
    case 'reach':
      return <MissingStepsSheet onClose={close} />
    case 'share':
      return <DraftLinkDialog onClose={close} />
    case 'add': {
      const asked = request.current
      const { after } = asked
      // Of a chosen link the output is known.
      const open = after?.link === undefined ? after : undefined
      return (
        <BlockSearch
          at={asked.screen}
          after={open && { source: open.source, output: open.output?.fromConnector }}
          onClose={close}
          onChoose={(type, way) => {
            const chosen =
              open === undefined || way === undefined
                ? after
                : { source: open.source, output: { from: open.source.id, fromConnector: way } }
            commands.add(type, { ...asked, after: chosen })
            close()
          }}
        />
      )
    }
    case 'none':
      return null
    default:
      return sheet satisfies never
  }
}
