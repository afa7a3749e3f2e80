/** An issue, as somebody wrote it. */
export interface DoubleIssue {
  number: number;
  title: string;
  body?: string;
  labels?: string[];
  author?: string | null;
  state?: 'OPEN' | 'CLOSED';
}

interface IssueState {
  issues: DoubleIssue[];
  pulls: { number: number; title: string; body: string }[];
}

type Answer = (variables: Record<string, unknown>, state: IssueState) => object;

const pageInfo = { hasNextPage: false, endCursor: '' };

/** The operations of `gh issue view` and `gh issue list`. With labels, gh searches. */
export const ISSUE_OPERATIONS: Record<string, Answer> = {
  IssueByNumber({ number }, { issues, pulls }) {
    const issue = issues.find((it) => it.number === number);
    const pull = pulls.find((it) => it.number === number);
    if (issue) return inRepository({ issue: { __typename: 'Issue', ...describe(issue) } });
    if (!pull) {
      const message = `Could not resolve to an issue or pull request with the number of ${number}.`;
      return { data: null, errors: [{ type: 'NOT_FOUND', message }] };
    }
    const url = `https://github.com/acme/widgets/pull/${number}`;
    return inRepository({
      issue: { ...describe({ ...pull, author: 'ada' }), __typename: 'PullRequest', url },
    });
  },

  IssueList({ limit }, { issues }) {
    const nodes = issues.filter(isOpen).slice(0, Number(limit)).map(describe);
    return inRepository({ issues: { totalCount: nodes.length, nodes, pageInfo } });
  },

  IssueSearch({ query, limit }, { issues }) {
    const labels = [...String(query).matchAll(/label:(?:"([^"]*)"|(\S+))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    const found = issues
      .filter(isOpen)
      .filter((it) => labels.every((label) => it.labels?.includes(label)));
    const nodes = found.slice(0, Number(limit)).map(describe);
    const { data } = inRepository({});
    return { data: { ...data, search: { issueCount: nodes.length, nodes, pageInfo } } };
  },
};

const isOpen = ({ state = 'OPEN' }: DoubleIssue) => state === 'OPEN';

const inRepository = (found: object) => ({
  data: { repository: { hasIssuesEnabled: true, ...found } },
});

function describe({ number, title, body = '', labels = [], author, state }: DoubleIssue) {
  return {
    id: `I_${number}`,
    number,
    title,
    body,
    state: state ?? 'OPEN',
    url: `https://github.com/acme/widgets/issues/${number}`,
    labels: { nodes: labels.map((name) => ({ id: name, name })), totalCount: labels.length },
    author: author === null ? null : { id: 'U_1', login: author ?? 'ada' },
  };
}
