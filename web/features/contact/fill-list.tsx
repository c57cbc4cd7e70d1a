import { Button, Field, Stack, Text } from '@chakra-ui/react'
import { ListPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FAILURE_CLASSES, type FailureClass } from '#schemas/segment-rule.ts'
import { http } from '#web/api/http.ts'
import { Modal } from '#web/components/modal.tsx'
import { useAllChoices } from '#web/entity/read-all.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { ContactJobState, useContactJob } from './contact-job.tsx'

const OUTCOMES = ['sent', 'notread', 'read', 'engaged', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]

interface Choice {
  readonly campaign: string
  readonly segment: string
  readonly outcome: Outcome
  /** '' for all failures. */
  readonly failure: FailureClass | ''
}

interface SourcesProps {
  readonly choice: Choice
  onChange(choice: Partial<Choice>): void
}

/** A campaign with an outcome, or a segment. */
const Sources = ({ choice, onChange: change }: SourcesProps) => {
  const { t } = useTranslation('contact')
  const [campaigns, segments] = [useAllChoices('campaign'), useAllChoices('segment')]
  const { campaign, segment, outcome, failure } = choice
  return (
    <>
      <Field.Root>
        <Field.Label htmlFor="fill-campaign">{t('fill.campaign')}</Field.Label>
        <ChoiceControl
          id="fill-campaign"
          none={t('fill.nocampaign')}
          value={campaign}
          choices={campaigns}
          onChange={next => change({ campaign: next, segment: '' })}
        />
      </Field.Root>
      {campaign === '' ? null : (
        <Field.Root>
          <Field.Label htmlFor="fill-outcome">{t('fill.outcome')}</Field.Label>
          <ChoiceControl
            id="fill-outcome"
            value={outcome}
            chosen
            choices={OUTCOMES.map(one => ({ value: one, label: t(`rule.campaign.${one}`) }))}
            onChange={next => change({ outcome: next as Outcome })}
          />
        </Field.Root>
      )}
      {campaign === '' || outcome !== 'failed' ? null : (
        <Field.Root>
          <Field.Label htmlFor="fill-class">{t('rule.why')}</Field.Label>
          <ChoiceControl
            id="fill-class"
            none={t('rule.class.any')}
            value={failure}
            choices={FAILURE_CLASSES.map(one => ({ value: one, label: t(`rule.class.${one}`) }))}
            onChange={next => change({ failure: next as FailureClass | '' })}
          />
        </Field.Root>
      )}
      {campaign === '' && segments.length > 0 ? (
        <Field.Root>
          <Field.Label htmlFor="fill-segment">{t('fill.segment')}</Field.Label>
          <ChoiceControl
            id="fill-segment"
            none={t('fill.nosegment')}
            value={segment}
            choices={segments}
            onChange={next => change({ segment: next })}
          />
        </Field.Root>
      ) : null}
    </>
  )
}

/** Copies people into a list: those with an outcome of a campaign, or those of a segment. */
export const FillList = ({ list, onClose }: { readonly list: string; onClose(): void }) => {
  const { t } = useTranslation('contact')
  const [choice, setChoice] = useState<Choice>({ campaign: '', segment: '', outcome: 'notread', failure: '' })
  const { progress, isRunning, error, start } = useContactJob('fill', onClose)
  const { campaign, segment, outcome, failure } = choice
  const fill = () =>
    start(() =>
      http.post('/contactlist/{id}/copy', {
        params: { id: list },
        body:
          campaign === ''
            ? { segment }
            : { campaign, outcome, ...(outcome === 'failed' && failure !== '' ? { class: failure } : {}) },
      }),
    )
  const change = (next: Partial<Choice>) => setChoice(before => ({ ...before, ...next }))
  return (
    <Modal
      width={520}
      icon={<ListPlus size={18} aria-hidden="true" />}
      title={t('fill.title')}
      onClose={onClose}
      actions={
        <Button
          variant="solid"
          loading={isRunning}
          disabled={campaign === '' && segment === ''}
          onClick={() => void fill()}
        >
          {t('fill.do')}
        </Button>
      }
    >
      <Stack gap="4">
        <Text color="fg.muted">{t('fill.text')}</Text>
        <Sources choice={choice} onChange={change} />
        <ContactJobState progress={progress} error={error} />
      </Stack>
    </Modal>
  )
}
