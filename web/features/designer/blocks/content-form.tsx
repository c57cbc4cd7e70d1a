import { chakra } from '@chakra-ui/react'
import { type ClipboardEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setField, setTitle } from '#domain/flow/document/edit.ts'
import type { FieldPath } from '#domain/flow/document/location.ts'
import type { PanelName } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { MAX_TITLE_LENGTH } from '#schemas/flow/block-field-schema.ts'
import { NoAgentChannel } from '#web/features/agentchannel/index.ts'
import { LineControl } from '#web/form/control/line-control.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Field } from '../inspector/field.tsx'
import { FieldGroup, isOnTab, isShown } from '../inspector/field-group.tsx'
import { useForm } from '../inspector/form-context.ts'
import { SHARED } from '../inspector/shared-value.ts'
import { isMarker } from '../model/block-appearance.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { useNames } from '../session/flow-names.ts'
import { AssignForm } from './assign/assign-form.tsx'
import { ConditionForm } from './condition/condition-form.tsx'
import { LazyPanel } from './panel/lazy-panel.tsx'
import { PromptForm } from './prompt/prompt-form.tsx'
import { isCurl, readCurl } from './rest-service/read-curl.ts'
import { SendMessageForm } from './send-message/send-message-form.tsx'

const Section = ({ paths }: { readonly paths: readonly FieldPath[] }) => (
  <div className="pl-section">
    {paths.map(path => (
      <Field key={path.join('.')} path={path} />
    ))}
  </div>
)

/** Fills the block when a command of cURL is pasted into the address. */
const usePastedCurl = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, notice, mayEdit } = useDesigner()
  return (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    const read = mayEdit && isCurl(text) ? readCurl(text) : undefined
    if (read === undefined) return
    event.preventDefault()
    event.stopPropagation()
    room.doc.transact(() => {
      for (const [name, value] of Object.entries(read)) setField(room.doc, node.id, [name], value, OWN_EDIT)
    }, OWN_EDIT)
    notice.set({ text: t('try.curl'), undo: true })
  }
}

const RestForm = () => {
  const { node } = useForm()
  const paste = usePastedCurl()
  return (
    <>
      <div className="pl-section">
        <div className="pl-call" onPasteCapture={paste}>
          <Field path={['methodType']} />
          <Field path={['url']} />
        </div>
      </div>
      <Section paths={[['headers']]} />
      {isShown(node, 'input') ? <Section paths={[['input'], ['formData']]} /> : null}
      <Section paths={[['resultVariable'], ['errorVariable']]} />
    </>
  )
}

const HandlerForm = () => {
  const { node } = useForm()
  const own = node.properties.quickscript === true
  // A file may hold code beside the switch; its field stays while it is emptied.
  const [hasCode] = useState(node.properties.js !== '')
  return (
    <>
      <div className="pl-section">
        <Field path={['quickscript']} />
        {own ? null : <Field path={['name']} />}
        <Field path={['handlerparameters']} />
      </div>
      {own || (hasCode && node.properties.name === '') ? (
        <div className="pl-section">
          <Field path={['js']} rows={8} />
        </div>
      ) : null}
    </>
  )
}

const forms: Readonly<Record<string, () => React.ReactNode>> = {
  prompt: PromptForm,
  condition: ConditionForm,
  restservice: RestForm,
  handler: HandlerForm,
  assignvariables: AssignForm,
  sendmessage: SendMessageForm,
  // Its body and actions are in its panel.
  adaptivecard: () => <Section paths={[['putSubmitButton']]} />,
}

/** Panels above the fields: previews. Other panels come below. */
const LOOKS: ReadonlySet<PanelName> = new Set(['card', 'receipt', 'product', 'adaptive'])

const Title = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const [isLong, setLong] = useState(false)
  return (
    <div className="pl-section">
      <div>
        <label className="pl-label-text" htmlFor="pl-block-title">
          {t('inspector.title')}
        </label>
        <LineControl
          {...SHARED}
          id="pl-block-title"
          disabled={!mayEdit}
          describedBy={isLong ? 'pl-block-title-long' : undefined}
          value={node.title}
          longest={MAX_TITLE_LENGTH}
          onLong={setLong}
          onChange={title => setTitle(room.doc, node.id, title, OWN_EDIT)}
        />
        {isLong ? (
          <chakra.p id="pl-block-title-long" role="alert" fontSize="xs" color="danger.fg" mt="1">
            {words('block:value.long', { limit: MAX_TITLE_LENGTH })}
          </chakra.p>
        ) : null}
      </div>
    </div>
  )
}

/** Offers the desk while the bot of a block that hands over has no agent channel. */
const AgentOffer = () => {
  const { bot } = useNames()
  return (
    <chakra.div px="14px" pt="3" _empty={{ display: 'none' }}>
      <Suspense fallback={null}>
        <NoAgentChannel bot={bot?.id ?? ''} />
      </Suspense>
    </chakra.div>
  )
}

/** Content of a block: a custom form for common types, else every declared field. */
export const ContentForm = () => {
  const { node } = useForm()
  const words = useWords()
  const block = blockOf(node.type)
  const Own = forms[node.type]
  const isBare = Own === undefined && !Object.values(block?.fields ?? {}).some(field => isOnTab(field, 'content'))
  const first = isMarker(node) || block?.shape === 'frame' || (block !== undefined && isBare)
  const panel = block?.panel === undefined ? null : <LazyPanel name={block.panel} />
  const above = block?.panel !== undefined && LOOKS.has(block.panel)
  return (
    <>
      {first ? <Title /> : null}
      {node.type === 'connecttoagent' ? <AgentOffer /> : null}
      {above ? panel : null}
      {Own !== undefined ? (
        <Own />
      ) : block === undefined ? (
        <div className="pl-section">
          <chakra.p fontSize="sm" color="fg.muted">
            {words('block:description.unknown')}
          </chakra.p>
        </div>
      ) : first && block.runs ? null : (
        <div className="pl-section">
          <FieldGroup path={[]} fields={block.fields} />
        </div>
      )}
      {above ? null : panel}
      {first ? null : <Title />}
    </>
  )
}
