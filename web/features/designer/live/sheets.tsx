import { type RefObject, useEffect, useRef } from 'react'
import { LateComments } from '../comment/late-comments.tsx'
import { useMode } from '../mode/mode-context.ts'
import { BlockSearch } from '../palette/block-search.tsx'
import { FindBar } from '../panel/find-bar.tsx'
import { KeySheet } from '../panel/key-sheet.tsx'
import { LintSheet } from '../panel/lint-sheet.tsx'
import { Outline } from '../panel/outline.tsx'
import { Tracker } from '../panel/tracker.tsx'
import { PublishDialog } from '../publish/publish-dialog.tsx'
import { LateUses } from '../search/late-uses.tsx'
import { SearchSheet } from '../search/search-sheet.tsx'
import { type AddRequest, useCommands } from './commands.ts'
import { useDesigner } from './designer.ts'
import { focusBlockIfLost } from './focus-block.ts'

/** The one thing that lies over the canvas. */
export const Sheets = ({ request }: { readonly request: RefObject<AddRequest> }) => {
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
      return <KeySheet onClose={close} />
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
      return <PublishDialog onClose={close} />
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
