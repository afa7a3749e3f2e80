// Loaded into each measured process before its own code: writes down the most memory it ever had
// resident (KB) and the processor time of its main thread (ms). On Linux the kernel is asked, since
// resourceUsage().maxRSS begins there with the size of whoever started the process, and its times
// include threads that work beside. Plain CommonJS: Node and bun take it as it is.
const { appendFileSync, readFileSync } = require('node:fs');

process.on('exit', () => {
  const { memory, cpu } = process.platform === 'linux' ? askKernel() : askRuntime();
  appendFileSync(process.env.BENCH_USAGE_FILE, `${memory} ${cpu}\n`);
});

function askKernel() {
  const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  const memory = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return { memory, cpu: nanoseconds / 1e6 };
}

function askRuntime() {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return { memory: maxRSS, cpu: (userCPUTime + systemCPUTime) / 1e3 };
}
