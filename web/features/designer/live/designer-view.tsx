import { chakra, Flex } from '@chakra-ui/react'
import { useMachine } from '@xstate/react'
import { Eye } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { EditTools, ZoomTools } from '../bar/floating-tools.tsx'
import { TopBar } from '../bar/top-bar.tsx'
import { CanvasContext } from '../canvas/canvas-context.ts'
import { CanvasProvider } from '../canvas/flow-canvas.tsx'
import { Minimap } from '../canvas/minimap.tsx'
import { useWords, WordsContext } from '../canvas/words.ts'
import '../canvas/chrome.css'
import { BottomSheet } from '../inspector/bottom-sheet.tsx'
import { Inspector } from '../inspector/inspector.tsx'
import { ScriptEditor } from '../inspector/script-editor.tsx'
import { designerMachine } from '../mode/designer-machine.ts'
import { ModeContext, modeOf } from '../mode/mode-context.ts'
import type { Translate } from '../model/label.ts'
import { LeftPanel } from '../palette/left-panel.tsx'
import { LinkPicker } from '../panel/link-picker.tsx'
import { Notices } from '../panel/notices.tsx'
import { UnplacedEdits } from '../panel/unplaced-edits.tsx'
import { Following } from '../people/following.tsx'
import type { FlowAddress } from '../room/flow-address.ts'
import { CommandsContext } from './commands.ts'
import { type Designer, DesignerContext } from './designer.ts'
import { type FlowNames, MOST_NAMES } from './flow-names.ts'
import { LiveCanvas } from './live-canvas.tsx'
import { NamesContext } from './names-context.ts'
import { Sheets } from './sheets.tsx'
import { tellNews } from './tell-news.ts'
import { useCommandsOf } from './use-commands.ts'
import { useKeys } from './use-keys.ts'
import { usePhone } from './use-phone.ts'

const modules = import.meta.glob<{ HistoryMode: React.ComponentType<FlowAddress> }>('../history/history-mode.tsx')
const [loadHistory] = Object.values(modules)
const NoHistory = (_address: FlowAddress) => null
const HistoryMode = lazy(async () => ({ default: (await loadHistory?.())?.HistoryMode ?? NoHistory }))

interface DesignerViewProps {
  readonly designer: Designer
  readonly names: FlowNames
}

const ViewOnly = () => {
  const { t } = useTranslation('designer')
  return (
    <chakra.p
      className="pl-float"
      top="3"
      left="3"
      px="2.5"
      minH="28px"
      fontSize="xs"
      fontWeight="semibold"
      color="fg.muted"
    >
      <Eye size={14} aria-hidden />
      {t('sheet.viewOnly')}
    </chakra.p>
  )
}

/** Dialogs are left out: a block may point to one of another task, and its publishing must not be stopped for it. */
const idsOf = (items: readonly { readonly id: string }[] | undefined) =>
  items === undefined || items.length >= MOST_NAMES ? undefined : new Set(items.map(({ id }) => id))

const useKnown = (designer: Designer, names: FlowNames) => {
  useEffect(() => {
    const handler = idsOf(names.handlers)
    const dialogtask = idsOf(names.tasks)
    designer.known.set({
      ...(handler && { handler }),
      ...(dialogtask && { dialogtask }),
    })
  }, [designer, names.handlers, names.tasks])
}

const Page = ({ designer, names }: DesignerViewProps) => {
  const { t } = useTranslation(['designer', 'block'])
  const session = useSession()
  const phone = usePhone()
  const [snapshot, send] = useMachine(designerMachine)
  const mode = useMemo(() => modeOf(snapshot, send), [snapshot, send])
  const name = names.flow?.name ?? ''
  const { commands, request } = useCommandsOf(designer, mode, name)
  const [linking, setLinking] = useState<string>()
  useKnown(designer, names)
  useKeys(designer, commands, mode)
  const words = useWords()
  useEffect(() => tellNews(designer, words), [designer, words])
  useEffect(() => {
    // A link to a moment (?at=revision) opens the history there.
    const search = new URLSearchParams(location.search)
    if (search.has('at') || search.get('mode') === 'history') send({ type: 'HISTORY' })
  }, [send])
  const endLinking = useCallback(() => setLinking(undefined), [])
  const { kind, id } = designer.address
  const framed = !mode.full && !phone
  const edit = (
    <Flex flex="1" minH="0">
      {framed ? <LeftPanel names={names} /> : null}
      <Flex direction="column" flex="1" minW="0">
        <chakra.section data-region="canvas" position="relative" flex="1" minH="0">
          <LiveCanvas name={name} readOnly={!designer.mayEdit || phone} onLinkKey={setLinking} />
          <Following />
          <ZoomTools />
          {phone ? <ViewOnly /> : <EditTools />}
          {phone ? null : <Minimap label={t('canvas.blocks')} />}
          <UnplacedEdits />
          <Sheets request={request} />
          {linking === undefined ? null : <LinkPicker block={linking} onClose={endLinking} />}
          <Notices />
        </chakra.section>
        {kind === 'handler' && framed ? <ScriptEditor /> : null}
      </Flex>
      {phone ? <BottomSheet /> : <Inspector hidden={mode.full} onLink={setLinking} />}
    </Flex>
  )
  return (
    <ModeContext value={mode}>
      <CommandsContext value={commands}>
        <CanvasContext value={designer.canvas}>
          <Flex direction="column" flex="1" minH="0">
            <TopBar
              names={names}
              hasHistory={loadHistory !== undefined}
              mayPublish={session.can(`publish${kind}`) && mode.mode === 'edit'}
            />
            {mode.mode === 'history' ? (
              <Suspense fallback={null}>
                <HistoryMode kind={kind} id={id} />
              </Suspense>
            ) : (
              edit
            )}
          </Flex>
        </CanvasContext>
      </CommandsContext>
    </ModeContext>
  )
}

/** An open flow: bar, panels, canvas and inspector around one room. */
export const DesignerView = ({ designer, names }: DesignerViewProps) => {
  const { t } = useTranslation(['designer', 'block'])
  const words = useMemo<Translate>(() => (key, values) => t(key, values ?? {}), [t])
  return (
    <DesignerContext value={designer}>
      <NamesContext value={names}>
        <WordsContext value={words}>
          <CanvasProvider>
            <Page designer={designer} names={names} />
          </CanvasProvider>
        </WordsContext>
      </NamesContext>
    </DesignerContext>
  )
}
