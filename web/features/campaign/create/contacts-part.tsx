import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MappedVariable } from '#domain/campaign/mapping.ts'
import { failureOf } from '#web/api/failure.ts'
import { ContactsStep } from './contacts-step.tsx'
import { useChangeCampaign } from './create-query.ts'
import { Frame } from './frame.tsx'
import type { PartProps } from './part-props.ts'
import { RowPreview } from './row-preview.tsx'
import { completeMapping } from './variable-table.tsx'

/** The second step: contacts, and what of them fills the template. */
export const ContactsPart = ({ row, template, variables, examples, mapping, count, names, done, onGo }: PartProps) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const change = useChangeCampaign()
  const [given, setOwn] = useState<readonly MappedVariable[]>()
  const own = given ?? completeMapping(variables, mapping, names)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await change(row, {
        mapping: own.map(({ text, default: usual, ...one }) => ({
          ...one,
          default: usual === '' ? null : usual,
          ...(one.source === 'text' ? { text } : {}),
        })),
      })
      onGo('when')
    } catch (error) {
      setFailure(failureOf(error, t('shell:notsaved', { name: String(row.name) })))
      setBusy(false)
    }
  }
  return (
    <Frame
      step="contacts"
      name={String(row.name)}
      done={done}
      aside={<RowPreview row={template} campaign={row.id} variables={variables} mapping={own} />}
      error={failure}
      busy={busy}
      verb={t('create.continue')}
      onGo={onGo}
      onNext={() => void save()}
    >
      <ContactsStep
        campaign={row.id}
        count={count}
        variables={variables}
        mapping={own}
        examples={examples}
        names={names}
        onMapping={setOwn}
      />
    </Frame>
  )
}
