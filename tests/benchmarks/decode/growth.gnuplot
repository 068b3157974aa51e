# gnuplot growth.gnuplot: growth.svg from growth.txt
set terminal svg size 1080,340 font "sans-serif,12" background "white"
set output "growth.svg"
set multiplot layout 1,3
set key bottom right reverse Left
set rmargin 3
set ylabel "milliseconds of a step"
set yrange [0:*]
set grid ytics lc rgb "#dddddd"
set style line 1 lc rgb "#1b6ca8" lw 2 pt 7 ps 0.6
set style line 2 lc rgb "#888888" lw 2 dt 2
set logscale x 2
set xlabel "columns (7B, context 512)"
set xtics (1, 2, 4, 8, 16, 32, 64, 128)
plot "growth.txt" index 0 using 1:2 with linespoints ls 1 title "trl", "" index 0 using 1:3 with lines ls 2 title "limit by reading"
set xlabel "context (7B, 10 columns)"
set xtics (512, 1024, 2048, 4096, 8192)
plot "growth.txt" index 1 using 1:2 with linespoints ls 1 title "trl", "" index 1 using 1:3 with lines ls 2 title "limit by reading"
unset logscale x
set key top left
set xlabel "billions of parameters (10 columns)"
set xtics (0.5, 1.5, 3, 7)
plot "growth.txt" index 2 using 1:2 with linespoints ls 1 title "trl", "" index 2 using 1:3 with lines ls 2 title "limit by reading"
