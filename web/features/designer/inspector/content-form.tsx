import { chakra, Image } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { setTitle } from '#domain/flow/edit.ts'
import type { FieldPath } from '#domain/flow/location.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { OWN_EDIT } from '../live/actions.ts'
import { useDesigner } from '../live/designer.ts'
import { useNames } from '../live/names-context.ts'
import { isMarker } from '../model/look.ts'
import { ConditionForm } from './condition-form.tsx'
import { Field } from './field.tsx'
import { FieldGroup } from './field-group.tsx'
import { useForm } from './form-context.ts'
import { valueAt } from './place.ts'
import { LineControl } from './plain-control.tsx'
import { PromptForm } from './prompt-form.tsx'

const Section = ({ paths }: { readonly paths: readonly FieldPath[] }) => (
  <div className="pl-section">
    {paths.map(path => (
      <Field key={path.join('.')} path={path} />
    ))}
  </div>
)

const RestForm = () => {
  const { node } = useForm()
  return (
    <>
      <chakra.div className="pl-section" display="grid" gridTemplateColumns="92px 1fr" gap="2" alignItems="start">
        <Field path={['methodType']} />
        <Field path={['url']} rows={2} />
      </chakra.div>
      <Section paths={[['headers']]} />
      {node.properties.methodType === 'get' ? null : <Section paths={[['input'], ['formData']]} />}
      <Section paths={[['resultVariable'], ['errorVariable']]} />
    </>
  )
}

const HandlerForm = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const names = useNames()
  const own = node.properties.quickscript === true
  const chosen = names.handlers?.find(({ id }) => id === node.properties.name)
  return (
    <>
      <div className="pl-section">
        <Field path={['quickscript']} />
        {own ? null : <Field path={['name']} />}
        {own || chosen === undefined ? null : (
          <chakra.span fontSize="xs" color="accent.fg">
            <Link to={`/designer/handler/${chosen.id}`}>{t('inspector.open')}</Link>
          </chakra.span>
        )}
        <Field path={['handlerparameters']} />
      </div>
      {own || node.properties.name === '' ? (
        <div className="pl-section">
          <Field path={['js']} rows={8} />
        </div>
      ) : null}
    </>
  )
}

const MediaForm = () => {
  const { node } = useForm()
  const { room } = useDesigner()
  const uri = valueAt(room.doc, node.id, node.type, ['media', 'uri'])
  const type = valueAt(room.doc, node.id, node.type, ['media', 'type'])
  const picture = typeof uri === 'string' && uri.startsWith('https://') && String(type).startsWith('image/')
  return (
    <>
      <div className="pl-section">
        {picture ? <Image src={uri} alt="" maxH="140px" objectFit="contain" borderRadius="md" bg="bg.sunken" /> : null}
        <Field path={['mediaCardType']} />
        <Field path={['media', 'uri']} rows={2} />
        <Field path={['media', 'type']} />
      </div>
      <Section
        paths={[
          ['media', 'title'],
          ['media', 'text'],
          ['media', 'aspectRatio'],
        ]}
      />
      <Section paths={[['buttons']]} />
    </>
  )
}

const forms: Readonly<Record<string, () => React.ReactNode>> = {
  prompt: PromptForm,
  condition: ConditionForm,
  restservice: RestForm,
  handler: HandlerForm,
  mediacard: MediaForm,
  text: () => <Section paths={[['text'], ['attachments']]} />,
  carousel: () => <Section paths={[['cards', 'items']]} />,
  gototask: () => <Section paths={[['task'], ['taskdialog']]} />,
  assignvariables: () => <Section paths={[['variables']]} />,
}

const Title = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  return (
    <div className="pl-section">
      <div>
        <label className="pl-label-text" htmlFor="pl-block-title">
          {t('inspector.title')}
        </label>
        <LineControl
          id="pl-block-title"
          disabled={!mayEdit}
          value={node.title}
          onWrite={title => setTitle(room.doc, node.id, title, OWN_EDIT)}
        />
      </div>
    </div>
  )
}

/** What a block says or does: a form of its own for the common types, else every field of its declaration. */
export const ContentForm = () => {
  const { node } = useForm()
  const block = blockOf(node.type)
  const Own = forms[node.type]
  const first = isMarker(node) || node.type === 'start' || node.type === 'enddialog'
  return (
    <>
      {first ? <Title /> : null}
      {Own !== undefined ? (
        <Own />
      ) : block === undefined || first ? null : (
        <div className="pl-section">
          <FieldGroup path={[]} fields={block.fields} />
        </div>
      )}
      {first ? null : <Title />}
    </>
  )
}
