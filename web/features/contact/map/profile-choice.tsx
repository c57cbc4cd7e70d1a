import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { readAll } from '#web/entity/read-all.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'

interface ChoiceProps {
  readonly campaign: string
  /** '' for columns that are linked by hand. */
  readonly value: string
  onChange(profile: string): void
}

/** The upload profiles of a campaign, by whose rules a file is taken. */
export const ProfileChoice = ({ campaign, value, onChange }: ChoiceProps) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const { data } = useQuery({
    queryKey: ['campaignuploadprofile', 'list', { campaign, all: true }],
    queryFn: ({ signal }) => readAll('campaignuploadprofile', { campaign_id: campaign, sort: 'name' }, signal),
    enabled: can('readcampaignuploadprofile'),
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <HStack gap="2">
      <chakra.label htmlFor="profile" textStyle="secondary" color="fg.muted">
        {t('map.profile')}
      </chakra.label>
      <Box w="200px">
        <ChoiceControl
          id="profile"
          none={t('map.noprofile')}
          value={value}
          choices={data.items.map(({ id, name }) => ({ value: id, label: String(name) }))}
          onChange={onChange}
        />
      </Box>
    </HStack>
  )
}

/** In place of the columns, where a profile's rules say what they are. */
export const ProfileRules = ({ profile }: { readonly profile: string }) => {
  const { t } = useTranslation('contact')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" px="4" py="3.5">
      <Text as="h2" textStyle="card">
        {t('map.rules')}
      </Text>
      <Text textStyle="dense" color="fg.muted" mt="1" mb="2">
        {t('map.rulestext')}
      </Text>
      <Link to={`/campaignuploadprofile/${profile}`}>
        <chakra.span color="accent.fg" fontWeight="semibold" textStyle="dense">
          {t('map.openprofile')}
        </chakra.span>
      </Link>
    </Box>
  )
}
