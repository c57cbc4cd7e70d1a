import { Box, Button, chakra, Field, HStack, Input, SimpleGrid, Text } from '@chakra-ui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { fieldFailureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { Modal } from '#web/components/modal.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { EntityFormPage } from '#web/entity/form/entity-form-page.tsx'
import { spokenIn } from '#web/features/publish/index.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'

type Template = AnswerOf<'GET /bottemplate'>['items'][number]

const UseDialog = ({ template, onClose }: { readonly template: Template; onClose(): void }) => {
  const { t } = useTranslation('shell')
  const goOn = useGuardedNavigate()
  const client = useQueryClient()
  const [name, setName] = useState(template.name)
  const creation = useMutation({
    mutationFn: () => http.post('/bottemplate/{key}', { params: { key: template.key }, body: { name: name.trim() } }),
    onSuccess: async ({ dialog }) => {
      await client.invalidateQueries()
      await goOn(flowAddress('dialog', dialog))
    },
  })
  const isReady = name.trim() !== '' && !creation.isPending
  return (
    <Modal
      icon={<LayoutTemplate size={18} aria-hidden="true" />}
      title={t('bottemplate.use', { name: template.name })}
      onClose={onClose}
      actions={
        <Button variant="solid" disabled={!isReady} loading={creation.isPending} onClick={() => creation.mutate()}>
          {t('bottemplate.create')}
        </Button>
      }
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {t('bottemplate.text')}
      </Text>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (isReady) creation.mutate()
        }}
      >
        <Field.Root invalid={creation.error !== null}>
          <Field.Label>{t('bottemplate.name')}</Field.Label>
          <Input data-autofocus="" maxLength={200} value={name} onChange={event => setName(event.target.value)} />
          <Field.ErrorText>{fieldFailureOf(creation.error, t('error.noanswer'))}</Field.ErrorText>
        </Field.Root>
      </form>
    </Modal>
  )
}

/** Whole bots to begin from, above the form of a new one. */
const BotTemplates = () => {
  const { t, i18n } = useTranslation('shell')
  const { data } = useQuery({
    queryKey: ['bottemplate', i18n.language],
    queryFn: () => http.get('/bottemplate'),
    staleTime: Infinity,
  })
  const [chosen, setChosen] = useState<Template>()
  if (data === undefined) return null
  return (
    <Box as="section" aria-label={t('bottemplate.title')} mb="6">
      <Text as="h2" textStyle="card">
        {t('bottemplate.title')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mt="1" mb="3">
        {t('bottemplate.purpose')}
      </Text>
      <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, md: 2, xl: 5 }} gap="3">
        {data.items.map(template => (
          <li key={template.key}>
            <chakra.button
              type="button"
              display="flex"
              flexDirection="column"
              alignItems="flex-start"
              onClick={() => setChosen(template)}
              w="100%"
              h="100%"
              textAlign="start"
              p="3"
              borderWidth="1px"
              borderRadius="md"
              bg="bg.surface"
              cursor="pointer"
              focusVisibleRing="outside"
              _hover={{ borderColor: 'accent.solid' }}
            >
              <Text textStyle="secondary" color="fg.muted">
                {template.segment}
              </Text>
              <Text textStyle="card" mt="0.5">
                {template.name}
              </Text>
              <Text textStyle="secondary" color="fg.muted" mt="1">
                {template.description}
              </Text>
              <HStack mt="2" gap="1" color="fg.muted">
                <CircleCheck size={13} aria-hidden="true" />
                <Text textStyle="secondary">
                  {t('bottemplate.size', { blocks: template.blocks, tests: template.tests })}
                </Text>
              </HStack>
            </chakra.button>
          </li>
        ))}
      </SimpleGrid>
      <Text as="h2" textStyle="card" mt="6">
        {t('bottemplate.blank')}
      </Text>
      {chosen === undefined ? null : <UseDialog template={chosen} onClose={() => setChosen(undefined)} />}
    </Box>
  )
}

/** /bot/new: begins from a whole bot, or from nothing. */
export const NewBotPage = () => {
  const { i18n } = useTranslation()
  return <EntityFormPage above={<BotTemplates />} begins={spokenIn(i18n.language)} />
}
