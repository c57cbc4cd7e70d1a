import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { campaign } from '#schemas/entities/campaign.ts'
import { EntityForm } from '#web/entity/form/entity-form.tsx'
import { useEntityForm } from '#web/entity/form/use-entity-form.ts'
import { UnsavedPrompt } from '#web/form/unsaved-prompt.tsx'
import { Frame } from './create-layout.tsx'
import type { PartProps } from './part-props.ts'
import { RowPreview } from './row-preview.tsx'

const SHOWN = new Set(['schedule', 'window', 'limits'])
const HIDDEN: ReadonlySet<string> = new Set(
  campaign.form.flatMap(({ id, fields }) => (SHOWN.has(id) ? [] : fields.map(String))),
)
const NOTHING = {}

/** The third step: schedule, hours, pace and limits, as the form of the campaign has them. */
export const SchedulePart = ({ row, template, other, variables, mapping, done, onGo }: PartProps) => {
  const { t } = useTranslation('campaign')
  const state = useEntityForm({ entity: campaign, row, fixed: NOTHING, onCreated: () => {} })
  const [isLeaving, setLeaving] = useState(false)
  const { failure, busy } = state
  const isClean = state.dirty.length === 0
  useEffect(() => {
    if (!isLeaving || busy) return
    if (isClean) onGo('review')
    else setLeaving(false)
  }, [isLeaving, busy, isClean, onGo])
  const next = async () => {
    if (!isClean) await state.save()
    setLeaving(true)
  }
  return (
    <Frame
      step="when"
      name={row.name}
      account={row.metaaccount}
      done={done}
      aside={<RowPreview {...{ other, variables, mapping }} row={template} lists={row.lists} campaign={row.id} />}
      error={undefined}
      busy={busy}
      verb={t('create.continue')}
      onGo={onGo}
      onNext={() => void next()}
    >
      <EntityForm
        entity={campaign}
        id={row.id}
        form={state.form}
        creating={false}
        readOnly={false}
        dirty={state.dirty}
        errors={state.errors}
        failure={failure}
        refusals={state.refusals}
        conflicts={state.conflicts}
        onLeave={state.check}
        meanwhile={state.meanwhile}
        chosen={undefined}
        hidden={HIDDEN}
        onHistory={undefined}
      />
      <UnsavedPrompt />
    </Frame>
  )
}
