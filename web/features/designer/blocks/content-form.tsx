import { Button, chakra, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ClipboardEvent, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { templateMessage } from '#domain/campaign/message-body.ts'
import { choicesOf } from '#domain/flow/document/choice-outputs.ts'
import { hideChoices, setField, setTitle, showOfferedChoices } from '#domain/flow/document/edit.ts'
import { addItem } from '#domain/flow/document/item-edit.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { neededVariables } from '#domain/template/sendable.ts'
import { templateOf } from '#domain/template/template.ts'
import { ERROR_CONNECTOR, type PanelName } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import { MAX_TITLE_LENGTH } from '#schemas/flow/block-field-schema.ts'
import type { RowOf } from '#schemas/row.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { MessagePreview } from '#web/entity/form/template/message-preview.tsx'
import { NoAgentChannel } from '#web/features/agentchannel/index.ts'
import { assignedValues } from '#web/features/designer/inspector/lazy-editor.ts'
import { ListField, newId } from '#web/features/designer/inspector/list-field.tsx'
import { SwitchControl } from '#web/form/control/choice-control.tsx'
import { LineControl } from '#web/form/control/line-control.tsx'
import { useLazyModule } from '#web/lazy-module.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Field, Inline } from '../inspector/field.tsx'
import { FieldGroup, isOnTab, isShown } from '../inspector/field-group.tsx'
import {
  itemsAt,
  under,
  useFieldValue,
  useForm,
  useLabel,
  VariableValuesContext,
  valueAt,
} from '../inspector/form-context.ts'
import { SHARED, stringOf } from '../inspector/shared-value.ts'
import { isMarker, typeName } from '../model/block-appearance.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { useNames } from '../session/flow-names.ts'
import { Rule } from './condition/rule.tsx'
import { LazyPanel } from './panel/lazy-panel.tsx'
import { PromptForm } from './prompt/prompt-form.tsx'
import { isCurl, readCurl } from './rest-service/read-curl.ts'

const BRANCHES: FieldPath = ['conditions']

/** Whether all or any of what stands below must hold; of no use where there is one thing alone. */
const Match = ({ path }: { readonly path: FieldPath }) => {
  const words = useWords()
  const { node } = useForm()
  const label = useLabel(under(path, 'match'))
  const { value, set, mayEdit, doc, block } = useFieldValue(
    under(path, 'match'),
    fieldAt(node.type, under(path, 'match')),
  )
  const count = (name: string) => itemsAt(doc, block, node.type, under(path, name))?.length ?? 0
  if (count('rules') + count('groups') < 2) return null
  return (
    <fieldset className="pl-seg" data-small aria-label={label} disabled={!mayEdit}>
      {['and', 'or'].map(each => (
        <button key={each} type="button" aria-pressed={value === each} onClick={() => set(each)}>
          {words(`block:option.match.${each}`)}
        </button>
      ))}
    </fieldset>
  )
}

const Rules = ({ path }: { readonly path: FieldPath }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const at = under(path, 'rules')
  const label = useLabel(at)
  const field = fieldAt(node.type, at)
  if (field?.kind !== 'list') return null
  return (
    <ListField
      path={at}
      field={field}
      label={label}
      aside={<Match path={path} />}
      addLabel={t('inspector.addRule')}
      renderItem={rule => <Rule path={rule} />}
    />
  )
}

const Branch = ({ path, place }: { readonly path: FieldPath; readonly place: number }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const at = under(path, 'groups')
  const label = useLabel(at)
  const groups = fieldAt(node.type, at)
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.div display="flex" alignItems="center" gap="2">
        <b className="pl-number">{place + 1}</b>
        <chakra.div flex="1">
          <Field path={under(path, 'label')} bare label={t('inspector.branch', { place: place + 1 })} />
        </chakra.div>
      </chakra.div>
      <Rules path={path} />
      {groups?.kind === 'list' ? (
        <ListField
          path={at}
          field={groups}
          label={label}
          quiet
          addLabel={t('condition.addGroup')}
          renderItem={group => <Rules path={group} />}
        />
      ) : null}
    </chakra.div>
  )
}

/** Branches in the order in which they are tried, each an output; otherwise is always last. */
const ConditionForm = () => {
  const { t } = useTranslation('designer')
  const label = useLabel(BRANCHES)
  const branches = fieldAt('condition', BRANCHES)
  if (branches?.kind !== 'list') return null
  return (
    <div className="pl-section">
      <ListField
        path={BRANCHES}
        field={branches}
        label={label}
        addLabel={t('inspector.addBranch')}
        renderItem={(path, place) => <Branch path={path} place={place} />}
      />
      <chakra.p display="flex" alignItems="center" gap="2" mt="3" fontSize="sm" color="fg.muted">
        <b className="pl-number" data-otherwise>
          ↳
        </b>
        {t('inspector.otherwise')}: {t('inspector.otherwiseHint')}
      </chakra.p>
    </div>
  )
}

const VALUES: FieldPath = ['templateValues']
const NO_MESSAGE: readonly never[] = []

interface MappedProps {
  readonly template: RowOf<'template'>
  readonly mapped: ReadonlyMap<string, string>
}

/** Text of the template with the expressions in place of its variables. */
const TemplateText = ({ template, mapped }: MappedProps) => {
  const { t } = useTranslation('designer')
  const { text, buttons } = templateMessage(templateOf(template), mapped)
  return <MessagePreview label={t('inspector.template.preview')} text={text} buttons={buttons} />
}

/** Variables without a value; adds a line for each that has none. */
const MissingVariables = ({ template, mapped }: MappedProps) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const needed = neededVariables(template)
  const empty = needed.filter(name => (mapped.get(name) ?? '').trim() === '')
  const missing = needed.filter(name => !mapped.has(name))
  if (empty.length === 0) return null
  const add = () => {
    for (const variable of missing) addItem(room.doc, node.id, VALUES, { id: newId(), members: { variable } }, OWN_EDIT)
  }
  return (
    <HStack gap="2" flexWrap="wrap">
      <chakra.p role="status" fontSize="xs" color="danger.fg" flex="1" minW="0">
        {t('inspector.template.missing', { names: empty.join(', '), count: empty.length })}
      </chakra.p>
      {missing.length === 0 || !mayEdit ? null : (
        <Button size="xs" onClick={add}>
          <Plus size={14} aria-hidden />
          {t('inspector.template.add', { count: missing.length })}
        </Button>
      )}
    </HStack>
  )
}

/** Text, destination, and the template for the time outside the window of WhatsApp. */
const SendMessageForm = () => {
  const { t } = useTranslation('designer')
  const { node, Field } = useForm()
  const { room } = useDesigner()
  const label = useLabel(VALUES)
  const id = stringOf(node.properties.template)
  const { data: template } = useQuery({ ...detailQuery('template', id), enabled: id !== '', retry: false })
  const field = fieldAt(node.type, VALUES)
  if (field?.kind !== 'list') return null
  const said = (item: string, name: string) =>
    stringOf(valueAt(room.doc, node.id, node.type, under(VALUES, item, name)))
  const items = itemsAt(room.doc, node.id, node.type, VALUES) ?? NO_MESSAGE
  const mapped = new Map(items.map(item => [said(item, 'variable').trim(), said(item, 'value')]))
  return (
    <>
      <div className="pl-section">
        <Field path={['text']} />
        <Field path={['destination']} />
      </div>
      <div className="pl-section">
        <Field path={['template']} />
        <chakra.p fontSize="xs" color="fg.muted">
          {t('inspector.template.about')}
        </chakra.p>
        {template === undefined ? null : (
          <>
            <TemplateText template={template} mapped={new Map([...mapped].filter(([, value]) => value !== ''))} />
            <MissingVariables template={template} mapped={mapped} />
          </>
        )}
        {id === '' && items.length === 0 ? null : <ListField path={VALUES} field={field} label={label} />}
      </div>
    </>
  )
}

const LINES: FieldPath = ['variables']
const NONE: readonly never[] = []

/** Lines that are carried out one after the other: each sees what those before it gave. */
const AssignForm = () => {
  const { node, Field } = useForm()
  const { room } = useDesigner()
  const label = useLabel(LINES)
  const { value: Assigned } = useLazyModule(assignedValues)
  const [before, setBefore] = useState<readonly JsonObject[]>(NONE)
  const field = fieldAt(node.type, LINES)
  if (field?.kind !== 'list') return null
  const said = (id: string, name: string) => stringOf(valueAt(room.doc, node.id, node.type, under(LINES, id, name)))
  const lines = (itemsAt(room.doc, node.id, node.type, LINES) ?? NONE).map(id => ({
    name: said(id, 'name'),
    value: said(id, 'value'),
  }))
  return (
    <div className="pl-section">
      {Assigned === undefined ? null : <Assigned lines={lines} onFound={setBefore} />}
      <ListField
        path={LINES}
        field={field}
        label={label}
        renderItem={(path, place) => (
          <VariableValuesContext value={before[place]}>
            <div className="pl-pair">
              <Field path={under(path, 'name')} />
              <Field path={under(path, 'value')} />
            </div>
          </VariableValuesContext>
        )}
      />
    </div>
  )
}

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
  // Such as `start`, which people see as the name of the block's type.
  const [machine] = useState(() => (isMachineTitle(node.title, node.type) ? node.title : undefined))
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
          value={node.title === machine ? '' : node.title}
          placeholder={typeName(node.type, words)}
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

const AGENT_SYSTEM: FieldPath = ['agentSystem']

/** Offers the desk while the bot of a block that hands over has no agent channel; the block then hands over to it. */
const AgentOffer = () => {
  const { bot } = useNames()
  const { node } = useForm()
  const { value, set } = useFieldValue(AGENT_SYSTEM, fieldAt(node.type, AGENT_SYSTEM))
  const choose = () => {
    if (stringOf(value) === '') set('parley')
  }
  return (
    <chakra.div px="14px" pt="3" _empty={{ display: 'none' }}>
      <Suspense fallback={null}>
        <NoAgentChannel bot={bot?.id ?? ''} onEnabled={choose} />
      </Suspense>
    </chakra.div>
  )
}

/** Whether each option or button of the block, or its error, has an output; absent where it can have none. */
const ChoiceOutputs = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit, notice, said } = useDesigner()
  const id = useId()
  const block = blockOf(node.type)
  const choices = block === undefined ? [] : choicesOf(block, node.properties)
  if (choices.length === 0) return null
  const shown = new Set(node.outputs.map(output => output.id))
  const isEach = choices.every(({ output }) => shown.has(output))
  const what = choices.every(({ output }) => output === ERROR_CONNECTOR) ? 'error' : 'outputs'
  const show = (isWanted: boolean) => {
    if (isWanted) return showOfferedChoices(room.doc, node.id, OWN_EDIT)
    hideChoices(room.doc, node.id, OWN_EDIT)
    const text = t(`choices.${what}Removed`)
    said.set(text)
    notice.set({ text, undo: true })
  }
  return (
    <div className="pl-section">
      <Inline id={id} label={t(`choices.${what}`)}>
        <SwitchControl id={id} disabled={!mayEdit} describedBy={`${id}-hint`} value={isEach} onChange={show} />
      </Inline>
      <chakra.p id={`${id}-hint`} fontSize="xs" color="fg.muted">
        {t(`choices.${what}Hint`)}
      </chakra.p>
    </div>
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
      {first ? <Title key={node.id} /> : null}
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
      <ChoiceOutputs />
      {above ? null : panel}
      {first ? null : <Title key={node.id} />}
    </>
  )
}
