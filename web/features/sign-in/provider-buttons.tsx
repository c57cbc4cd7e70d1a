import { Button, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { http, providerUrl } from '#web/api/http.ts'

/** Identity providers of this installation; needs no session. */
export const useSignInProviders = () =>
  useQuery({ queryKey: ['signin', 'providers'], queryFn: () => http.get('/auth/oidc'), retry: false })

interface Props {
  readonly items: readonly { readonly id: string; readonly name: string }[]
  /** Page of the console to open afterwards. */
  readonly to: string
  readonly isMain: boolean
}

/** One button for each identity provider. */
export const ProviderButtons = ({ items, to, isMain }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <Stack gap="2">
      {items.map(({ id, name }) => (
        <Button
          key={id}
          asChild
          variant={isMain ? 'solid' : 'outline'}
          size="lg"
          h={{ base: '11', md: '10' }}
          whiteSpace="normal"
        >
          <a href={`${providerUrl(id, 'start')}?to=${encodeURIComponent(to)}`}>
            <Fingerprint size={17} aria-hidden="true" />
            {t('signin.with', { name })}
          </a>
        </Button>
      ))}
    </Stack>
  )
}
